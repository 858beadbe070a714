/** A phone number that was read from a text: `209-555-0142` or `555-0142`. */
interface Phone {
  readonly number: string
  readonly extension: string | undefined
}

/** A word before a number: 'Tel.: 209-555-0142'. */
const NAME_OF_NUMBER = /^(?:tel|telephone|phone|ph|fax|cell|mobile)\b[.:]*\s*/i
const EXTENSION = /^(.*\d\)?)[\s,;(]*(?:extension|extn|ext|x|#)[\s.:=#]*(\d{1,6})\)?$/is
const SEPARATORS = /[\s().\-/\u2010-\u2015\u2212]+/

/** The number with hyphens; undefined if it has neither seven nor ten digits, after the country code 1. */
const readNumber = (text: string): string | undefined => {
  const groups = text.replace(/^\+/, '').split(SEPARATORS).filter(Boolean)
  // '1-209-555-014' is a country code and nine digits; so is any number after a plus sign.
  const hasCountryCode = text.startsWith('+') || groups[0] === '1'
  const [, code, area, prefix, line] = /^(1)?(\d{3})?(\d{3})(\d{4})$/.exec(groups.join('')) ?? []
  if (prefix === undefined || (code === '1' ? area === undefined : hasCountryCode)) return undefined
  return [area, prefix, line].filter(Boolean).join('-')
}

/** A text without the word before it, as what is written for the number and for its extension. */
const splitExtension = (text: string): Phone => {
  const plain = text.trim().replace(/^tel:/i, '').replace(NAME_OF_NUMBER, '')
  const [, number = plain, extension] = EXTENSION.exec(plain) ?? []
  return { number, extension }
}

/** Reads a phone number in any form that people write or paste; undefined if it is not certain. */
export const readPhone = (text: string): Phone | undefined => {
  const { number: written, extension } = splitExtension(text)
  const number = readNumber(written)
  return number === undefined ? undefined : { number, extension }
}

/** A phone number as `209-555-0142` or `209-555-0142 x12`; a text that is not certainly one is unchanged. */
export const formatPhone = (text: string): string => {
  const phone = readPhone(text)
  if (!phone) return text
  return phone.extension === undefined ? phone.number : `${phone.number} x${phone.extension}`
}

/** A number with its digits only, as the fax number of a site is stored; a text that is not certainly a number without extension is unchanged. */
export const toFaxDigits = (text: string): string => {
  const phone = readPhone(text)
  return phone && phone.extension === undefined ? phone.number.replaceAll(/\D/g, '') : text
}

/** The number to dial, with the country code; an extension is dialed after a pause. */
export const toDialedNumber = (text: string): string => {
  const { number, extension } = readPhone(text) ?? splitExtension(text)
  const digits = number.replaceAll(/[^\d+]/g, '')
  return `${/^\d{10}$/.test(digits) ? `+1${digits}` : digits}${extension === undefined ? '' : `,${extension}`}`
}
/** The `tel:` URL of a number. */
export const toTelUrl = (phone: string): string => `tel:${toDialedNumber(phone)}`

/** The `sms:` URL of a number, without its extension. */
export const toSmsUrl = (phone: string): string => `sms:${toDialedNumber(phone).replace(/,.*/, '')}`

/** Shown for a missing number. */
export const NO_NUMBER = 'No number on file'

// The forms in which numbers are stored; `formatPhone` and `toFaxDigits` read all others.
/** A phone number of ten digits, or of seven without the area code. */
export const PHONE_PATTERN = /^(?:\d{3}-)?\d{3}-\d{4}$/
export const INVALID_PHONE = 'A phone number has 10 digits, such as 209-555-0142. Leave out an extension'
/** The same with an optional extension. */
export const EXTENSION_PATTERN = /^(?:\d{3}-)?\d{3}-\d{4}(?: x\d{1,6})?$/
export const INVALID_EXTENSION = 'A phone number has 10 digits, such as 209-555-0142 or 209-555-0142 x12'
/** A phone number of ten digits. */
export const TEN_DIGITS_PATTERN = /^\d{3}-\d{3}-\d{4}$/
export const FAX_PATTERN = /^(?:\d{3})?\d{7}$/
export const INVALID_FAX = 'A fax number has 10 digits, such as 209-555-0143'
/** Why an import refuses a number. */
export const NOT_A_NUMBER = 'is not a number of 7 or 10 digits'
