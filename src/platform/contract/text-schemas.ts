import { z } from 'zod'

import { EMAIL_FORM, INVALID_EMAIL, LONGEST_EMAIL } from './emails.ts'
import { REQUIRED, atMost } from './messages.ts'
import { cleanSlug, isReachable } from './slugs.ts'
import { cleanLine, cleanLines, wrongInLine, wrongInLines } from './texts.ts'

// Fields as they are written. Blanks at the ends go, and nothing is left of a blank text: a field that may be empty takes it, or `null`, as empty
// (D42). What a rule forbids is refused with words for the reader (D33); nothing else is stripped or mended here.

/** A line that has no limit in the specification; what is longer is no line. */
const LONGEST_LINE = 300
/** A text of several lines. */
const LONGEST_TEXT = 20_000

/** The kinds of field that obey one rule each, for the tests that try the same values in all of them. */
export const fieldKinds = z.registry<{ readonly kind: 'line' | 'lines' | 'email' | 'emails' | 'slug' }>()

/** What a check of its own says of a text. */
const says =
  (wrongIn: (text: string) => string | undefined) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    const message = wrongIn(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }

const anyLine = () => z.string().overwrite(cleanLine).check(says(wrongInLine))
const anyLines = (most: number) => z.string().overwrite(cleanLines).check(says(wrongInLines)).max(most, atMost(most))

/** A blank text. What another one is told is said by the field it stands in: of two wrong forms zod would tell the one that goes on. */
const blank = z
  .string()
  .overwrite(cleanLine)
  .refine((value) => value === '', { abort: true })
/** A text that may be empty. */
const orNothing = <S extends z.ZodType<string>>(filled: S) => z.union([filled, blank, z.null()]).transform((value) => value || null)
/** A text that must not be empty. */
const filled = (text: z.ZodString) => text.refine((value) => value !== '', { message: REQUIRED, abort: true })

/** A line that may be empty. */
export const line = (most = LONGEST_LINE) => orNothing(anyLine().max(most, atMost(most))).register(fieldKinds, { kind: 'line' })
/** A text of several lines that may be empty. */
export const lines = (most = LONGEST_TEXT) => orNothing(anyLines(most)).register(fieldKinds, { kind: 'lines' })
/** A text of several lines that must not be empty; `missing` is what an empty one is told. */
export const requiredLines = (most: number, missing = REQUIRED) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .overwrite(cleanLines)
    .refine((value) => value !== '', { message: missing, abort: true })
    .check(says(wrongInLines))
    .max(most, atMost(most))
    .register(fieldKinds, { kind: 'lines' })
/** A line of a certain form that may be empty; `wrong` is what its error reads. */
export const formed = (form: RegExp, wrong: string) =>
  orNothing(z.string().overwrite(cleanLine).max(LONGEST_LINE, atMost(LONGEST_LINE)).regex(form, wrong))
/** A day that may be empty. */
export const writtenDay = () => orNothing(z.iso.date())

/** A line that must not be empty. */
export const requiredLine = (most = LONGEST_LINE) =>
  filled(z.string().overwrite(cleanLine)).check(says(wrongInLine)).max(most, atMost(most)).register(fieldKinds, { kind: 'line' })
/** A line of a certain form that must not be empty. */
export const requiredFormed = (form: RegExp, wrong: string, most = LONGEST_LINE) =>
  filled(z.string().overwrite(cleanLine)).max(most, atMost(most)).regex(form, wrong)
/** What no address of the web begins with: a link to it would run something. Browsers overlook blanks and controls, wherever they stand. */
const RUNS = /^(javascript|data|vbscript):/i
export const runsNothing = (value: string): boolean => !RUNS.test(value.replace(/[\s\p{Cc}]+/gu, ''))
const NO_ADDRESS = 'Enter a web address such as https://example.org'
/** An address on the web that must not be empty (section 5: at most 50). */
export const requiredAddress = (most = LONGEST_ADDRESS) => requiredLine(most).refine(runsNothing, NO_ADDRESS)
/** An address on the web that may be empty. */
export const addressOrNothing = (most: number) =>
  orNothing(anyLine().max(most, atMost(most)).refine(runsNothing, NO_ADDRESS)).register(fieldKinds, { kind: 'line' })
export const LONGEST_ADDRESS = 50

/** A mail address (section 5). */
const anyEmail = () =>
  z.string().overwrite(cleanLine).max(LONGEST_EMAIL, { error: INVALID_EMAIL, abort: true }).regex(EMAIL_FORM, INVALID_EMAIL)
/** A mail address that may be empty. */
export const emailOrNothing = () => orNothing(anyEmail()).register(fieldKinds, { kind: 'email' })
/** A mail address that must not be empty. */
export const requiredEmail = () =>
  filled(z.string().overwrite(cleanLine))
    .max(LONGEST_EMAIL, { error: INVALID_EMAIL, abort: true })
    .regex(EMAIL_FORM, INVALID_EMAIL)
    .register(fieldKinds, { kind: 'email' })

const MOST_EMAILS = 50
const emailsIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((one) => one !== '')
/** What is no address in what was typed. */
export const wrongEmails = (typed: string): string[] => emailsIn(typed).filter((one) => !anyEmail().safeParse(one).success)
/** Mail addresses as they are written: a list, or one text split by spaces, commas and semicolons. */
const emailList = (minimum: 0 | 1) =>
  z
    .union([z.array(z.string()).max(MOST_EMAILS, atMost(MOST_EMAILS, 'addresses')), z.string().max(LONGEST_TEXT, atMost(LONGEST_TEXT))])
    .transform((given) => (typeof given === 'string' ? emailsIn(given) : given.map(cleanLine).filter((one) => one !== '')))
    .pipe(z.array(anyEmail()).min(minimum, REQUIRED).max(MOST_EMAILS, atMost(MOST_EMAILS, 'addresses')))
    .register(fieldKinds, { kind: 'emails' })
/** Mail addresses, or none. */
export const emails = () => emailList(0)
/** Mail addresses, at least one. */
export const requiredEmails = () => emailList(1)

/** What a slug that leads nowhere is told. */
export const UNREACHABLE_SLUG = 'Use at least one letter, so that the web address works'
/** The name of a record in its web address, of the characters a charter's slug may have (section 5). */
export const requiredSlug = (form: RegExp, wrong: string, most: number) =>
  filled(z.string().overwrite(cleanSlug))
    .max(most, atMost(most))
    .regex(form, wrong)
    .refine(isReachable, UNREACHABLE_SLUG)
    .register(fieldKinds, { kind: 'slug' })

/** One of a list. */
export const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) => z.enum(choices)

/** The `_id` of another record, which must not be missing. */
export const requiredId = () => filled(z.string().overwrite(cleanLine)).max(200, atMost(200))
/** The `_id` of another record, or none. */
export const idOrNothing = () => orNothing(z.string().overwrite(cleanLine).max(200, atMost(200)))
