import { BROWSE_LEVEL, capabilities } from '../../../contract/capabilities.ts'

export { formatRelativeMoment } from '../../../contract/relative-moment.ts'
export { formatLevel } from '../levels/rules.ts'

/** The levels to choose from for a token: the owner's own, and each one with less access that differs in capabilities. */
export const getTokenLevels = (own: number): number[] =>
  [...new Set([own, ...Object.values(capabilities), BROWSE_LEVEL])].filter((level) => level >= own).toSorted((a, b) => a - b)

/** The choices on the page; a call can request any number up to the maximum. */
export const TOKEN_DAYS = [30, 90, 180, 365] as const
export const MAX_TOKEN_DAYS = 365
export const MAX_TOKEN_NAME_LENGTH = 100

/** A user agent also names the browsers it is based on, so the most specific come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const findName = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** 'Edge on Windows', enough for people to recognize their devices. */
export const formatBrowser = (userAgent: string | null): string => {
  const [browser, system] = [findName(BROWSERS, userAgent ?? ''), findName(SYSTEMS, userAgent ?? '')]
  if (system === undefined) return browser ?? 'Unknown browser'
  return `${browser ?? 'Unknown browser'} on ${system}`
}

export const isHandheld = (browser: string): boolean => / on (iPhone|iPad|Android)$/.test(browser)
