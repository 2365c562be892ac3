/** Where the server logs: the part of pino's interface that it uses. Keys and bodies are never in it. */
export interface Logger {
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export const silent: Logger = { info: () => undefined, error: () => undefined };
