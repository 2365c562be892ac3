/** Whom the clients call, and what they ask for. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly token: string;
  readonly wallet: string;
  /** RFC 3339. */
  readonly from: string;
  /** Every operation, with the path of its route and the example of a body that it declares. */
  readonly operations: readonly { readonly name: string; readonly path: string; readonly example: object }[];
}
