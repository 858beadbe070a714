import { z } from 'zod'

import { EMAIL_PATTERN, INVALID_EMAIL, MAX_EMAIL_LENGTH } from './emails.ts'
import { REQUIRED, formatMaxMessage } from './messages.ts'
import { INVALID_DAY, readDay } from './read-day.ts'
import { normalizeSlug, isReachableSlug } from './slugs.ts'
import { cleanLine, cleanMultiline, findLineError, findMultilineError } from './text-cleaning.ts'
import { readFromList } from './times.ts'

// Schemas for text in requests. Text is trimmed; blank text and `null` mean empty in optional fields. A phone number, day or time of day is
// read from every form that is certain. Invalid text is refused with a message for the user, not stripped or corrected.

/** The default maximum of a line. */
const MAX_LINE_LENGTH = 300
/** The maximum of a text of several lines. */
const MAX_TEXT_LENGTH = 20_000

/** The kinds of fields that have rules, for tests that use the same values in all of them. */
export const fieldKinds = z.registry<{ readonly kind: 'line' | 'lines' | 'email' | 'emails' | 'slug' | 'address' }>()

/** Adds a check with its own message to a text. */
const checkText =
  (wrongIn: (text: string) => string | undefined) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    const message = wrongIn(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }

/** Reads the stored form of a value from other forms; a text that is not certainly one is returned unchanged. */
type ReadText = (text: string) => string
const keep: ReadText = (text) => text
/** A line that is stored in the form that `read` gives it. */
const readLine = (read: ReadText) => z.string().overwrite((text) => read(cleanLine(text)))

const baseLine = (read = keep) => readLine(read).check(checkText(findLineError))
const baseMultiline = (most: number) =>
  z.string().overwrite(cleanMultiline).check(checkText(findMultilineError)).max(most, formatMaxMessage(most))

/** A blank text. Its message is that of the field: of two failed alternatives zod reports the one that did not abort. */
const blank = z
  .string()
  .overwrite(cleanLine)
  .refine((value) => value === '', { abort: true })
/** An optional text. */
const toOptional = <S extends z.ZodType<string>>(toRequired: S) =>
  z.union([toRequired, blank, z.null()]).transform((value) => value || null)
/** A required text. */
const filled = (text: z.ZodString) => text.refine((value) => value !== '', { message: REQUIRED, abort: true })

/** An optional line. */
export const optionalLine = (most = MAX_LINE_LENGTH, read = keep) =>
  toOptional(baseLine(read).max(most, formatMaxMessage(most))).register(fieldKinds, { kind: 'line' })
/** An optional text of several lines. */
export const optionalMultiline = (most = MAX_TEXT_LENGTH) => toOptional(baseMultiline(most)).register(fieldKinds, { kind: 'lines' })
/** A required text of several lines; `missing` is the message for an empty one. */
export const requiredMultiline = (most: number, missing = REQUIRED) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .overwrite(cleanMultiline)
    .refine((value) => value !== '', { message: missing, abort: true })
    .check(checkText(findMultilineError))
    .max(most, formatMaxMessage(most))
    .register(fieldKinds, { kind: 'lines' })
/** An optional line with a format; `wrong` is the message for an invalid one. */
export const optionalPattern = (form: RegExp, wrong: string, read = keep) =>
  toOptional(readLine(read).max(MAX_LINE_LENGTH, formatMaxMessage(MAX_LINE_LENGTH)).regex(form, wrong))
/** A day, stored as `2027-06-30`. */
export const requiredDay = () => readLine((text) => readDay(text) ?? text).check(z.iso.date(INVALID_DAY))
/** An optional day. */
export const optionalDay = () => toOptional(requiredDay())

/** A required line. */
export const requiredLine = (most = MAX_LINE_LENGTH) =>
  filled(z.string().overwrite(cleanLine))
    .check(checkText(findLineError))
    .max(most, formatMaxMessage(most))
    .register(fieldKinds, { kind: 'line' })
/** A required line with a format. */
export const requiredPattern = (form: RegExp, wrong: string, most = MAX_LINE_LENGTH, read = keep) =>
  filled(readLine(read)).max(most, formatMaxMessage(most)).regex(form, wrong)
/** Schemes that a web address must not have: a link to it would run code. Browsers ignore whitespace and control characters in them. */
const SCRIPT_SCHEME = /^(javascript|data|vbscript):/i
export const isSafeUrl = (value: string): boolean => !SCRIPT_SCHEME.test(value.replace(/[\s\p{Cc}]+/gu, ''))
const INVALID_URL = 'Enter a web address such as https://example.org'
const findUrlError = (value: string): string | undefined => (isSafeUrl(value) ? undefined : INVALID_URL)
/** A required web address (at most 50 characters); `findError` is what it must not be. */
export const requiredUrl = (most = MAX_URL_LENGTH, findError = findUrlError) =>
  requiredLine(most).check(checkText(findError)).register(fieldKinds, { kind: 'address' })
/** An optional web address. */
export const optionalUrl = (most: number) =>
  toOptional(baseLine().max(most, formatMaxMessage(most)).check(checkText(findUrlError))).register(fieldKinds, { kind: 'address' })
export const MAX_URL_LENGTH = 50

/** An email address. */
const baseEmail = () =>
  z.string().overwrite(cleanLine).max(MAX_EMAIL_LENGTH, { error: INVALID_EMAIL, abort: true }).regex(EMAIL_PATTERN, INVALID_EMAIL)
/** An optional email address. */
export const optionalEmail = () => toOptional(baseEmail()).register(fieldKinds, { kind: 'email' })
/** A required email address. */
export const requiredEmail = () =>
  filled(z.string().overwrite(cleanLine))
    .max(MAX_EMAIL_LENGTH, { error: INVALID_EMAIL, abort: true })
    .regex(EMAIL_PATTERN, INVALID_EMAIL)
    .register(fieldKinds, { kind: 'email' })

const MAX_EMAILS = 50
const splitEmails = (typed: string): string[] => typed.split(/[\s,;]+/).filter((one) => one !== '')
/** The parts of the text that are not email addresses. */
export const findInvalidEmails = (typed: string): string[] => splitEmails(typed).filter((one) => !baseEmail().safeParse(one).success)
/** Email addresses: a list, or text separated by spaces, commas and semicolons. */
const emailList = (minimum: 0 | 1) =>
  z
    .union([
      z.array(z.string()).max(MAX_EMAILS, formatMaxMessage(MAX_EMAILS, 'addresses')),
      z.string().max(MAX_TEXT_LENGTH, formatMaxMessage(MAX_TEXT_LENGTH)),
    ])
    .transform((given) => (typeof given === 'string' ? splitEmails(given) : given.map(cleanLine).filter((one) => one !== '')))
    .pipe(z.array(baseEmail()).min(minimum, REQUIRED).max(MAX_EMAILS, formatMaxMessage(MAX_EMAILS, 'addresses')))
    .register(fieldKinds, { kind: 'emails' })
/** Email addresses, possibly none. */
export const optionalEmails = () => emailList(0)
/** Email addresses, at least one. */
export const requiredEmails = () => emailList(1)

/** The message for a slug that no URL can contain. */
export const UNREACHABLE_SLUG = 'Use at least one letter, so that the web address works'
/** The name of a record in its URL, limited to the characters of a charter's slug. */
export const requiredSlug = (form: RegExp, wrong: string, most: number) =>
  filled(z.string().overwrite(normalizeSlug))
    .max(most, formatMaxMessage(most))
    .regex(form, wrong)
    .refine(isReachableSlug, UNREACHABLE_SLUG)
    .register(fieldKinds, { kind: 'slug' })

/** One of a fixed list of values. */
export const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) => z.enum(choices)

/** The same for times of day and weekdays, which are read from every form that is certain. */
export const choiceOfTime = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.union([
    choice(choices),
    z
      .string()
      .max(MAX_LINE_LENGTH)
      .transform((text) => readFromList(choices, text))
      .pipe(choice(choices)),
  ])

/** The `_id` of another record, required. */
export const requiredId = () => filled(z.string().overwrite(cleanLine)).max(200, formatMaxMessage(200))
/** The `_id` of another record, optional. */
export const optionalId = () => toOptional(z.string().overwrite(cleanLine).max(200, formatMaxMessage(200)))
