/** A phone number that was read from a text: `209-555-0142`, `555-0142` or `+44-20-7946-0958`. */
interface Phone {
  readonly number: string
  readonly extension: string | undefined
}

/** A word before a number: 'Tel.: 209-555-0142'. */
const NAME_OF_NUMBER = /^(?:tel|telephone|phone|ph|fax|cell|mobile)\b[.:]*\s*/i
const EXTENSION = /^(.*\d\)?)[\s,;(]*(?:extension|extn|ext|x|#)[\s.:=#]*(\d{1,6})\)?$/is
const SEPARATORS = /[\s().\-/\u2010-\u2015\u2212]+/
const [MIN_FOREIGN_DIGITS, MAX_FOREIGN_DIGITS] = [8, 15]

const formatDigits = (digits: string): string | undefined => {
  if (digits.length === 7) return `${digits.slice(0, 3)}-${digits.slice(3)}`
  return digits.length === 10 ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}` : undefined
}

const readNumber = (text: string): string | undefined => {
  const isInternational = text.startsWith('+')
  const groups = text.replace(/^\+/, '').split(SEPARATORS).filter(Boolean)
  const digits = groups.join('')
  if (!/^\d+$/.test(digits)) return undefined
  if (digits.length === 11 && digits.startsWith('1')) return formatDigits(digits.slice(1))
  if (isInternational)
    return digits.length >= MIN_FOREIGN_DIGITS && digits.length <= MAX_FOREIGN_DIGITS && !digits.startsWith('1')
      ? `+${groups.join('-')}`
      : undefined
  // '1-209-555-014' is a country code and nine digits.
  return groups[0] === '1' ? undefined : formatDigits(digits)
}

/** Reads a phone number in any form that people write or paste; undefined if it is not certain. */
export const readPhone = (text: string): Phone | undefined => {
  const plain = text.trim().replace(/^tel:/i, '').replace(NAME_OF_NUMBER, '')
  const [, beforeExtension = plain, extension] = EXTENSION.exec(plain) ?? []
  const number = readNumber(beforeExtension)
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
  const { number, extension } = readPhone(text) ?? { number: text, extension: undefined }
  const digits = number.replaceAll(/[^\d+]/g, '')
  return `${/^\d{10}$/.test(digits) ? `+1${digits}` : digits}${extension === undefined ? '' : `,${extension}`}`
}
/** The `tel:` URL of a number. */
export const toTelUrl = (phone: string): string => `tel:${toDialedNumber(phone)}`

/** Shown for a missing number. */
export const NO_NUMBER = 'No number on file'

// The forms in which numbers are stored; `formatPhone` and `toFaxDigits` read all others.
const NUMBER = String.raw`(?:(?:\d{3}-)?\d{3}-\d{4}|\+[\d-]{8,20})`
/** A phone number of ten digits, seven without the area code, or with the code of another country. */
export const PHONE_PATTERN = new RegExp(`^${NUMBER}$`)
export const INVALID_PHONE = 'Enter ten digits without an extension, such as 209-555-0142'
/** The same with an optional extension. */
export const EXTENSION_PATTERN = new RegExp(String.raw`^${NUMBER}(?: x\d{1,6})?$`)
export const INVALID_EXTENSION = 'Enter ten digits, such as 209-555-0142 or 209-555-0142 x12'
/** A phone number of ten digits. */
export const TEN_DIGITS_PATTERN = /^\d{3}-\d{3}-\d{4}$/
const MAX_FAX_DIGITS = 15
export const FAX_PATTERN = new RegExp(`^\\d{1,${MAX_FAX_DIGITS}}$`)
export const INVALID_FAX = `Digits only, at most ${MAX_FAX_DIGITS}`
