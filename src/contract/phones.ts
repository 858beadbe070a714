/** Formats a phone number: ten digits (without a leading 1) become xxx-xxx-xxxx, seven xxx-xxxx; others are unchanged. */
export const formatPhone = (phone: string): string => {
  const digits = phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (digits.length === 10) return `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`
  if (digits.length === 7) return `${digits.slice(0, 3)}-${digits.slice(3)}`
  return phone
}

/** The `tel:` URL of a number; an extension after x or ext. becomes a pause. */
export const toTelUrl = (phone: string): string => {
  const [number = '', extension] = phone.split(/ext\.?|x/i)
  const digits = number.replace(/[^\d+]/g, '')
  const pause = extension?.replace(/\D/g, '')
  return `tel:${/^\d{10}$/.test(digits) ? `+1${digits}` : digits}${pause ? `,${pause}` : ''}`
}

/** Shown for a missing number. */
export const NO_NUMBER = 'No number on file'

/** The pattern of phone and fax numbers, and the message for others. */
export const PHONE_PATTERN = /^(?=.*\d)[\d+-]{1,20}$/
export const INVALID_PHONE = 'Digits, plus and hyphen only, such as 209-555-0142'
export const MAX_FAX_DIGITS = 15
export const FAX_PATTERN = new RegExp(`^\\d{1,${MAX_FAX_DIGITS}}$`)
export const INVALID_FAX = `Digits only, at most ${MAX_FAX_DIGITS}`
