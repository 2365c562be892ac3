import { type FailureKind, failureReader } from '@swapfold/chain';

/** Sentences of nodes and providers, by what they mean; the first that fits counts. */
const sentences: readonly (readonly [FailureKind, RegExp])[] = [
  [
    'reverted',
    /revert|execution (aborted|timeout)|invalid opcode|out of gas|invalid jump|stack (underflow|overflow|limit)|vm execution|bad instruction|evm error:|data out of bounds|uint64 overflow|write protection/i,
  ],
  [
    'unknown-block',
    /unknown block|header not found|block (was )?not found|(block|hash) .*not found|out ?of ?range|beyond (current )?head|after last accepted|missing trie node|state .*(not available|pruned|unavailable)|historical state/i,
  ],
  [
    'unsupported',
    /method .*(not found|not supported|not available|not allowed|does not exist|unsupported|not whitelisted)|unsupported method|method not found/i,
  ],
  [
    'too-much',
    /more than [\d,]+ (results|logs)|too many (results|logs|blocks)|(response|result|body|payload|content|batch|request).*(too (large|big|many)|exceed|limit)|block range|range (is )?(too|limit|exceed)|ranges? over|limited to|query (timeout|exceeds)|too large|exceeds max|exceeded max|max(imum)? .*(range|results|batch|size)/i,
  ],
];

const byCode: Readonly<Record<number, FailureKind>> = {
  3: 'reverted',
  429: 'rate-limited',
  [-32005]: 'rate-limited',
  [-32007]: 'rate-limited',
  [-32004]: 'unsupported',
  [-32601]: 'unsupported',
};

const reverted = /^(execution reverted|vm exception|vm execution|reverted)/i;

/** What a transport threw, by what it means. */
export const failureOf = failureReader({ sentences, byCode, firmCodes: new Set([3, -32601]), reverted });
