import { z } from 'zod'

import { EMAIL_PATTERN, INVALID_EMAIL, MAX_EMAIL_LENGTH } from './emails.ts'
import { REQUIRED, formatMaxMessage } from './messages.ts'
import { normalizeSlug, isReachableSlug } from './slugs.ts'
import { cleanLine, cleanMultiline, findLineError, findMultilineError } from './text-cleaning.ts'

// Fields as they are written. Blanks at the ends go, and nothing is left of a blank text: a field that may be empty takes it, or `null`, as empty
//. What a rule forbids is refused with words for the reader; nothing else is stripped or fixed here.

/** A line that has no limit in the specification; what is longer is no line. */
const MAX_LINE_LENGTH = 300
/** A text of several lines. */
const MAX_TEXT_LENGTH = 20_000

/** The kinds of field that follow one rule each, for the tests that try the same values in all of them. */
export const fieldKinds = z.registry<{ readonly kind: 'line' | 'lines' | 'email' | 'emails' | 'slug' }>()

/** What a check of its own says of a text. */
const checkText =
  (wrongIn: (text: string) => string | undefined) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    const message = wrongIn(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }

const baseLine = () => z.string().overwrite(cleanLine).check(checkText(findLineError))
const baseMultiline = (most: number) =>
  z.string().overwrite(cleanMultiline).check(checkText(findMultilineError)).max(most, formatMaxMessage(most))

/** A blank text. Its message is that of the field: of two failed alternatives zod reports the one that continues. */
const blank = z
  .string()
  .overwrite(cleanLine)
  .refine((value) => value === '', { abort: true })
/** A text that may be empty. */
const toOptional = <S extends z.ZodType<string>>(toRequired: S) =>
  z.union([toRequired, blank, z.null()]).transform((value) => value || null)
/** A text that must not be empty. */
const filled = (text: z.ZodString) => text.refine((value) => value !== '', { message: REQUIRED, abort: true })

/** A line that may be empty. */
export const optionalLine = (most = MAX_LINE_LENGTH) =>
  toOptional(baseLine().max(most, formatMaxMessage(most))).register(fieldKinds, { kind: 'line' })
/** A text of several lines that may be empty. */
export const optionalMultiline = (most = MAX_TEXT_LENGTH) => toOptional(baseMultiline(most)).register(fieldKinds, { kind: 'lines' })
/** A text of several lines that must not be empty; `missing` is the message for an empty one. */
export const requiredMultiline = (most: number, missing = REQUIRED) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .overwrite(cleanMultiline)
    .refine((value) => value !== '', { message: missing, abort: true })
    .check(checkText(findMultilineError))
    .max(most, formatMaxMessage(most))
    .register(fieldKinds, { kind: 'lines' })
/** A line of a certain form that may be empty; `wrong` is what its error reads. */
export const optionalPattern = (form: RegExp, wrong: string) =>
  toOptional(z.string().overwrite(cleanLine).max(MAX_LINE_LENGTH, formatMaxMessage(MAX_LINE_LENGTH)).regex(form, wrong))
/** A day that may be empty. */
export const optionalDay = () => toOptional(z.iso.date())

/** A line that must not be empty. */
export const requiredLine = (most = MAX_LINE_LENGTH) =>
  filled(z.string().overwrite(cleanLine))
    .check(checkText(findLineError))
    .max(most, formatMaxMessage(most))
    .register(fieldKinds, { kind: 'line' })
/** A line of a certain form that must not be empty. */
export const requiredPattern = (form: RegExp, wrong: string, most = MAX_LINE_LENGTH) =>
  filled(z.string().overwrite(cleanLine)).max(most, formatMaxMessage(most)).regex(form, wrong)
/** What no address of the web begins with: a link to it would run something. Browsers overlook blanks and controls, wherever they stand. */
const SCRIPT_SCHEME = /^(javascript|data|vbscript):/i
export const isSafeUrl = (value: string): boolean => !SCRIPT_SCHEME.test(value.replace(/[\s\p{Cc}]+/gu, ''))
const INVALID_URL = 'Enter a web address such as https://example.org'
/** An address on the web that must not be empty (at most 50). */
export const requiredUrl = (most = MAX_URL_LENGTH) => requiredLine(most).refine(isSafeUrl, INVALID_URL)
/** An address on the web that may be empty. */
export const optionalUrl = (most: number) =>
  toOptional(baseLine().max(most, formatMaxMessage(most)).refine(isSafeUrl, INVALID_URL)).register(fieldKinds, { kind: 'line' })
export const MAX_URL_LENGTH = 50

/** A mail address. */
const baseEmail = () =>
  z.string().overwrite(cleanLine).max(MAX_EMAIL_LENGTH, { error: INVALID_EMAIL, abort: true }).regex(EMAIL_PATTERN, INVALID_EMAIL)
/** A mail address that may be empty. */
export const optionalEmail = () => toOptional(baseEmail()).register(fieldKinds, { kind: 'email' })
/** A mail address that must not be empty. */
export const requiredEmail = () =>
  filled(z.string().overwrite(cleanLine))
    .max(MAX_EMAIL_LENGTH, { error: INVALID_EMAIL, abort: true })
    .regex(EMAIL_PATTERN, INVALID_EMAIL)
    .register(fieldKinds, { kind: 'email' })

const MAX_EMAILS = 50
const splitEmails = (typed: string): string[] => typed.split(/[\s,;]+/).filter((one) => one !== '')
/** The part of the text that is no address. */
export const findInvalidEmails = (typed: string): string[] => splitEmails(typed).filter((one) => !baseEmail().safeParse(one).success)
/** Mail addresses as they are written: a list, or one text split by spaces, commas and semicolons. */
const emailList = (minimum: 0 | 1) =>
  z
    .union([
      z.array(z.string()).max(MAX_EMAILS, formatMaxMessage(MAX_EMAILS, 'addresses')),
      z.string().max(MAX_TEXT_LENGTH, formatMaxMessage(MAX_TEXT_LENGTH)),
    ])
    .transform((given) => (typeof given === 'string' ? splitEmails(given) : given.map(cleanLine).filter((one) => one !== '')))
    .pipe(z.array(baseEmail()).min(minimum, REQUIRED).max(MAX_EMAILS, formatMaxMessage(MAX_EMAILS, 'addresses')))
    .register(fieldKinds, { kind: 'emails' })
/** Mail addresses, or none. */
export const optionalEmails = () => emailList(0)
/** Mail addresses, at least one. */
export const requiredEmails = () => emailList(1)

/** The message for a slug that leads nowhere. */
export const UNREACHABLE_SLUG = 'Use at least one letter, so that the web address works'
/** The name of a record in its web address, of the characters a charter's slug may have. */
export const requiredSlug = (form: RegExp, wrong: string, most: number) =>
  filled(z.string().overwrite(normalizeSlug))
    .max(most, formatMaxMessage(most))
    .regex(form, wrong)
    .refine(isReachableSlug, UNREACHABLE_SLUG)
    .register(fieldKinds, { kind: 'slug' })

/** One of a list. */
export const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) => z.enum(choices)

/** The `_id` of another record, which must not be missing. */
export const requiredId = () => filled(z.string().overwrite(cleanLine)).max(200, formatMaxMessage(200))
/** The `_id` of another record, or none. */
export const optionalId = () => toOptional(z.string().overwrite(cleanLine).max(200, formatMaxMessage(200)))
