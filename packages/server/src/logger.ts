/** Where the server logs: the part of pino's interface that it uses. Keys and bodies are never in it. */
export interface Logger {
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export const silent: Logger = { info: () => undefined, error: () => undefined };

/** The logger, of which what it throws ends nothing. */
export function careful(logger: Logger): Logger {
  if (logger === silent) return silent;
  const safely =
    (write: 'info' | 'error'): Logger['info'] =>
    (fields, message) => {
      try {
        logger[write](fields, message);
      } catch {
        // Whoever is to hear of it can't.
      }
    };
  return { info: safely('info'), error: safely('error') };
}
