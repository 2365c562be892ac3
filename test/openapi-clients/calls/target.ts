/** Whom the clients call, and what they ask for. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly token: string;
  readonly wallet: string;
  /** RFC 3339. */
  readonly from: string;
}
