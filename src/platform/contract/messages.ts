import { z } from 'zod'

import { INVALID_EMAIL } from './emails.ts'

/** What a required field that is empty is told. */
export const REQUIRED = 'This field is required'
export const UNKNOWN_FIELD = 'Unknown field'
export const NOT_LISTED = 'Choose one from the list'
const NOT_RIGHT = 'This is not a valid value'

const shown = (limit: number | bigint): string => limit.toLocaleString('en-US')
export const atMost = (most: number | bigint, what = 'characters'): string => `Use at most ${shown(most)} ${what}`

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

const tooBig = ({ origin, inclusive, maximum }: Limits & { maximum: number | bigint }): string => {
  if (origin === 'string') return atMost(maximum)
  if (origin === 'array' || origin === 'set') return atMost(maximum, 'entries')
  return inclusive === false ? `Enter a number below ${shown(maximum)}` : `Enter at most ${shown(maximum)}`
}
const tooSmall = ({ origin, inclusive, minimum }: Limits & { minimum: number | bigint }): string => {
  if (origin === 'string') return minimum === 1 ? REQUIRED : `Use at least ${shown(minimum)} characters`
  if (origin === 'array' || origin === 'set') return minimum === 1 ? REQUIRED : `Enter at least ${shown(minimum)}`
  return inclusive === false ? `Enter a number above ${shown(minimum)}` : `Enter at least ${shown(minimum)}`
}

/** What an issue says that no field has words of its own for: nobody ever reads a sentence of the schema library. */
const wordsOf = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? REQUIRED : (EXPECTED[issue.expected] ?? NOT_RIGHT)
    case 'too_big':
      return tooBig(issue)
    case 'too_small':
      return tooSmall(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? NOT_RIGHT
    case 'invalid_value':
      return issue.input === undefined || issue.input === null || issue.input === '' ? REQUIRED : NOT_LISTED
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return UNKNOWN_FIELD
    case 'invalid_union': {
      // Of several forms that a field takes, the one that was meant is the one whose type fits.
      const all = issue.errors.flat()
      const meant = all.find(({ code }) => code !== 'invalid_type' && code !== 'invalid_value' && code !== 'unrecognized_keys')
      return (meant ?? all[0])?.message ?? NOT_RIGHT
    }
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return NOT_RIGHT
    default:
      return NOT_RIGHT
  }
}

z.config({ customError: wordsOf })
