/** What the tests use of playwright-core: it is a package of this folder, which is not always installed, and the compiler does not follow it. */
export interface Locator {
  readonly first: () => Locator;
  readonly nth: (i: number) => Locator;
  readonly locator: (selector: string) => Locator;
  click(): Promise<void>;
  check(): Promise<void>;
  count(): Promise<number>;
  fill(text: string): Promise<void>;
  focus(): Promise<void>;
  isVisible(): Promise<boolean>;
  selectOption(value: string): Promise<unknown>;
  innerText(): Promise<string>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
  inputValue(): Promise<string>;
  press(key: string): Promise<void>;
  waitFor(): Promise<void>;
}
export interface Page {
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string, options?: { delay: number }): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number, options?: { steps: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  on(event: string, listener: (it: never) => void): void;
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  locator(selector: string): Locator;
  evaluate<T>(code: string): Promise<T>;
  waitForEvent(event: 'download'): Promise<{ path(): Promise<string>; suggestedFilename(): string }>;
  emulateMedia(media: { colorScheme: 'light' | 'dark' }): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
  addScriptTag(script: { content: string }): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  route(
    url: string,
    answer: (route: {
      continue(): Promise<void>;
      fetch(): Promise<{ json(): Promise<unknown> }>;
      fulfill(response: { status: number; body: string }): Promise<void>;
    }) => Promise<void>,
  ): Promise<void>;
}
export interface Context {
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<{ send(method: string, params?: object): Promise<Record<string, unknown>> }>;
  setDefaultTimeout(ms: number): void;
  close(): Promise<void>;
}
export interface Browser {
  newContext(options?: object): Promise<Context>;
  close(): Promise<void>;
}

async function load<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

interface Chromium {
  readonly default: { executablePath(): Promise<string> };
}
interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

/** Starts the browser that comes with the packages of this folder. */
export async function launch(): Promise<Browser> {
  const { default: binary } = await load<Chromium>('@sparticuz/chromium');
  const { chromium } = await load<Playwright>('playwright-core');
  // The arguments of the package put the browser into one process, which ends with the first context, and switch its security off.
  return chromium.launch({ executablePath: await binary.executablePath(), args: ['--no-sandbox'], headless: true });
}
