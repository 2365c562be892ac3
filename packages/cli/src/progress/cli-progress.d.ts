/** What is used of cli-progress, which has no types of its own. */
declare module 'cli-progress' {
  export interface BarOptions {
    readonly stream: NodeJS.WritableStream;
    readonly format: string;
    readonly barCompleteChar: string;
    readonly barIncompleteChar: string;
    readonly barsize: number;
    readonly hideCursor: boolean;
    /** Removes the bar when it stops. */
    readonly clearOnComplete: boolean;
    /** Whether signals stop the bar, and then the process. */
    readonly gracefulExit: boolean;
  }

  export class SingleBar {
    constructor(options: BarOptions);
    start(total: number, value: number, payload: Readonly<Record<string, string>>): void;
    update(value: number, payload: Readonly<Record<string, string>>): void;
    stop(): void;
  }
}
