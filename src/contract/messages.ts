import { z } from 'zod'

import { INVALID_EMAIL } from './emails.ts'
import { formatNumber } from './format.ts'

/** The message for an empty required field. */
export const REQUIRED = 'This field is required'
export const UNKNOWN_FIELD = 'Unknown field'
export const NOT_IN_LIST = 'Choose one from the list'
const INVALID_VALUE = 'This is not a valid value'

export const formatMaxMessage = (most: number | bigint, what = 'characters'): string => `Use at most ${formatNumber(most)} ${what}`

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'Enter text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  bigint: 'Enter a whole number',
  boolean: 'Choose yes or no',
  date: 'Enter a date',
  array: 'Send a list',
  object: 'Send an object with fields',
  record: 'Send an object with fields',
}
const FORMATS: Readonly<Record<string, string>> = {
  email: INVALID_EMAIL,
  date: 'Enter a date, such as 2026-11-20',
  url: 'Enter a web address, such as https://example.org',
}

type Limits = { readonly origin: string; readonly inclusive?: boolean | undefined }

const formatTooBig = ({ origin, inclusive, maximum }: Limits & { maximum: number | bigint }): string => {
  if (origin === 'string') return formatMaxMessage(maximum)
  if (origin === 'array' || origin === 'set') return formatMaxMessage(maximum, 'entries')
  return inclusive === false ? `Enter a number below ${formatNumber(maximum)}` : `Enter at most ${formatNumber(maximum)}`
}
const formatTooSmall = ({ origin, inclusive, minimum }: Limits & { minimum: number | bigint }): string => {
  if (origin === 'string') return minimum === 1 ? REQUIRED : `Use at least ${formatNumber(minimum)} characters`
  if (origin === 'array' || origin === 'set') return minimum === 1 ? REQUIRED : `Enter at least ${formatNumber(minimum)}`
  return inclusive === false ? `Enter a number above ${formatNumber(minimum)}` : `Enter at least ${formatNumber(minimum)}`
}

/** Our wording for issues without a message of the field: users never see the schema library's messages. */
const formatIssue = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? REQUIRED : (EXPECTED[issue.expected] ?? INVALID_VALUE)
    case 'too_big':
      return formatTooBig(issue)
    case 'too_small':
      return formatTooSmall(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? INVALID_VALUE
    case 'invalid_value':
      return issue.input === undefined || issue.input === null || issue.input === '' ? REQUIRED : NOT_IN_LIST
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return UNKNOWN_FIELD
    case 'invalid_union': {
      // For a union, reports the alternative whose type matches.
      const all = issue.errors.flat()
      const specific = all.find(({ code }) => code !== 'invalid_type' && code !== 'invalid_value' && code !== 'unrecognized_keys')
      return (specific ?? all[0])?.message ?? INVALID_VALUE
    }
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return INVALID_VALUE
    default:
      return INVALID_VALUE
  }
}

z.config({ customError: formatIssue })
