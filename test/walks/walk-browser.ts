/** What a walk needs of a browser. A selector that begins with a slash or a parenthesis is an XPath expression, others are CSS. */
export interface WalkBrowser {
  /** Prepares a page without errors for the next test, from a page of the app that has no scripts. */
  readonly begin: (emptyPage: string) => Promise<void>
  /** Leaves the page of a test; returns its errors. */
  readonly end: () => Promise<readonly string[]>
  readonly open: (url: string) => Promise<void>
  readonly reload: () => Promise<void>
  readonly goBack: () => Promise<void>
  /** Runs a function in the page; it sees only its arguments. */
  readonly evaluate: <Args extends readonly unknown[], Result>(run: (...args: Args) => Result, ...args: Args) => Promise<Result>
  /** Waits until the element can be clicked, and clicks it. */
  readonly click: (selector: string) => Promise<void>
  /** Replaces the text of a field, by keys. */
  readonly fill: (selector: string, text: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
  readonly pressEnter: () => Promise<void>
  /** Presses a letter together with Control. */
  readonly pressControl: (letter: string) => Promise<void>
  readonly upload: (selector: string, path: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const TIMEOUT_MS = 60_000
export const isXPath = (selector: string): boolean => /^[(/]/.test(selector)
