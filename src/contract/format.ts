/** What is counted: singular and plural. */
export type Noun = readonly [one: string, many: string]

const groupDigits = (digits: string): string => (digits.length > 3 ? `${groupDigits(digits.slice(0, -3))},${digits.slice(-3)}` : digits)

/** '1,234'. The first use of `Intl` takes a cheap phone a tenth of a second, and counts do not need it. */
export const formatNumber = (number: number | bigint): string =>
  /^\d+$/.test(String(number)) ? groupDigits(String(number)) : number.toLocaleString('en-US')

/** The noun as it follows a count. */
export const getNoun = (count: number, [one, many]: Noun): string => (count === 1 ? one : many)

/** '1 site', '1,234 sites'; a noun with another plural is given with it. */
export const formatCount = (count: number, noun: string | Noun): string =>
  `${formatNumber(count)} ${getNoun(count, typeof noun === 'string' ? [noun, `${noun}s`] : noun)}`

/** The text with its first letter in upper case. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
