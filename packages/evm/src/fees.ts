/** What a receipt says of the price of its transaction, in hexadecimal. */
export interface PricedReceipt {
  readonly type?: string | null;
  readonly gasUsed?: string | null;
  readonly effectiveGasPrice?: string | null;
  /** Of rollups whose gas leaves out what the layer below takes. */
  readonly l1Fee?: string | null;
  readonly operatorFeeScalar?: string | null;
  readonly operatorFeeConstant?: string | null;
  /** Given since the Jovian upgrade of OP Stack. */
  readonly daFootprintGasScalar?: string | null;
  readonly blobGasUsed?: string | null;
  readonly blobGasPrice?: string | null;
}

/** Fields of a receipt that its fee is made of. */
export const pricingFields = [
  'type',
  'gasUsed',
  'effectiveGasPrice',
  'l1Fee',
  'operatorFeeScalar',
  'operatorFeeConstant',
  'daFootprintGasScalar',
  'blobGasUsed',
  'blobGasPrice',
] as const satisfies readonly (keyof PricedReceipt)[];

/** Of a transaction that carries blobs. On OP Stack, `blobGasUsed` of others is something else. */
const BLOBS = '0x3';

/**
 * What a transaction paid the chain, in the smallest unit of the native token: gas used times its price, and, if the receipt has them, the L1
 * fee, the operator fee and the price of blobs.
 *
 * - Shape: `undefined` if the receipt does not tell gas and price.
 * - Source: receipts of geth (EIP-4844) and of OP Stack nodes. The operator fee is the constant plus gas times the scalar, by a million until
 *   the Jovian upgrade, times 100 since. Arbitrum's gas used holds the L1 part already.
 */
export function feeOf(receipt: PricedReceipt): bigint | undefined {
  const { type, gasUsed, effectiveGasPrice, l1Fee, operatorFeeScalar, daFootprintGasScalar } = receipt;
  if (!gasUsed || !effectiveGasPrice) return undefined;
  const gas = BigInt(gasUsed);
  let fee = gas * BigInt(effectiveGasPrice) + numberOf(l1Fee);
  if (operatorFeeScalar) {
    const scaled = gas * BigInt(operatorFeeScalar);
    fee += (daFootprintGasScalar ? scaled * 100n : scaled / 1_000_000n) + numberOf(receipt.operatorFeeConstant);
  }
  return type === BLOBS ? fee + numberOf(receipt.blobGasUsed) * numberOf(receipt.blobGasPrice) : fee;
}

const numberOf = (value: string | null | undefined): bigint => (value ? BigInt(value) : 0n);
