import { z } from 'zod'

import { ADDRESS_FORM, INVALID_EMAIL, LONGEST_EMAIL } from './emails.ts'

// Fields as they are written. They take `null` or an empty text for nothing (D42) and refuse what a rule forbids with words for the reader
// (D33); nothing is stripped or mended here, but that an empty text becomes null.

/** A line that has no limit in the specification; what is longer is no line. */
const LONGEST_LINE = 300
/** A text of several lines. */
const LONGEST_TEXT = 20_000

const atMost = (most: number): string => `At most ${most.toLocaleString('en-US')} characters`
/** What a required field that is empty is told. */
export const REQUIRED = 'This field is required'

const orNothing = <S extends z.ZodType<string>>(filled: S) =>
  z.union([z.literal(''), filled, z.null()], { error: (issue) => wordsOf(issue) }).transform((value) => (value === '' ? null : value))

/** What the one rule that is not about emptiness says. */
const wordsOf = (issue: { code?: string; errors?: readonly (readonly { message: string; code?: string }[])[] }): string | undefined =>
  issue.errors?.flat().find(({ code }) => code !== 'invalid_value' && code !== 'invalid_type')?.message ?? 'Expected text'

/** A line that may be empty. */
export const line = (most = LONGEST_LINE) => orNothing(z.string().max(most, atMost(most)))
/** A text of several lines that may be empty. */
export const lines = () => orNothing(z.string().max(LONGEST_TEXT, atMost(LONGEST_TEXT)))
/** A line of a certain form that may be empty; `says` is what its error reads. */
export const formed = (form: RegExp, says: string) => orNothing(z.string().max(LONGEST_LINE, atMost(LONGEST_LINE)).regex(form, says))
/** A day that may be empty. */
export const writtenDay = () => orNothing(z.iso.date('A date such as 2026-11-20'))

const filled = (message: string = REQUIRED) => z.string({ error: message }).refine((value) => value.trim() !== '', { message, abort: true })

/** A line that must not be empty. */
export const requiredLine = (most = LONGEST_LINE) => filled().max(most, atMost(most))
/** A line of a certain form that must not be empty. */
export const requiredFormed = (form: RegExp, says: string) => filled().max(LONGEST_LINE, atMost(LONGEST_LINE)).regex(form, says)
/** What no address of the web begins with: a link to it would run something. Browsers overlook blanks and controls, wherever they stand. */
const RUNS = /^(javascript|data|vbscript):/i
export const runsNothing = (value: string): boolean => !RUNS.test(value.replace(/[\s\p{Cc}]+/gu, ''))
const NO_ADDRESS = 'A web address such as https://example.org'
/** An address on the web that must not be empty (section 5: at most 50). */
export const requiredAddress = (most = LONGEST_ADDRESS) => requiredLine(most).refine(runsNothing, NO_ADDRESS)
/** An address on the web that may be empty. */
export const addressOrNothing = (most: number) => orNothing(z.string().max(most, atMost(most)).refine(runsNothing, NO_ADDRESS))
export const LONGEST_ADDRESS = 50

/** A standard mail address (section 5). */
export const email = () => z.string().max(LONGEST_EMAIL, INVALID_EMAIL).regex(ADDRESS_FORM, INVALID_EMAIL)
/** A mail address that may be empty. */
export const emailOrNothing = () => orNothing(email())

/** One of a list. */
export const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, {
    error: ({ input }) => (input === undefined || input === null || input === '' ? REQUIRED : 'Please choose from the list'),
  })

/** The `_id` of another record, which must not be missing. */
export const requiredId = () => filled().max(200, atMost(200))
