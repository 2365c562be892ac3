// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/// Runs calls and emits logs in the order in which they are given: what a solver, a resolver or a reactor does in one transaction.
contract Steps {
    struct Step {
        address to;
        uint256 value;
        bytes data;
        bytes32[] topics;
    }

    receive() external payable {}

    /// A step with topics is a log of this contract, any other one a call.
    function run(Step[] calldata steps) external payable {
        for (uint256 i = 0; i < steps.length; i++) {
            Step calldata step = steps[i];
            if (step.topics.length > 0) {
                emitLog(step.topics, step.data);
                continue;
            }
            (bool success, bytes memory answer) = step.to.call{value: step.value}(step.data);
            if (!success) assembly { revert(add(answer, 32), mload(answer)) }
        }
    }

    function emitLog(bytes32[] calldata topics, bytes memory data) private {
        assembly {
            let from := add(data, 32)
            let size := mload(data)
            let first := topics.offset
            switch topics.length
            case 1 { log1(from, size, calldataload(first)) }
            case 2 { log2(from, size, calldataload(first), calldataload(add(first, 32))) }
            case 3 { log3(from, size, calldataload(first), calldataload(add(first, 32)), calldataload(add(first, 64))) }
            default {
                log4(
                    from, size, calldataload(first), calldataload(add(first, 32)), calldataload(add(first, 64)),
                    calldataload(add(first, 96))
                )
            }
        }
    }
}
