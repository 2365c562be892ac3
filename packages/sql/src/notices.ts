/** Takes what an engine can go on without to whoever has opened the store. */
export interface Notices {
  /** Throws nothing. */
  tell(error: unknown): void;
  /** From now on `onError` receives it; `undefined` leaves it as it was. */
  listen(onError: ((error: unknown) => void) | undefined): void;
}

/** Notices that nobody listens to yet. */
export function createNotices(): Notices {
  let receive: (error: unknown) => void = () => undefined;
  return {
    tell(error) {
      try {
        receive(error);
      } catch {
        // Whoever is to hear of it can't.
      }
    },
    listen(onError) {
      receive = onError ?? receive;
    },
  };
}
