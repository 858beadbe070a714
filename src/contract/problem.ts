import { z } from 'zod'

import { UNKNOWN_FIELD } from './messages.ts'

/** One invalid field: its path (`address.zip`) and what is wrong with it. */
export const FieldError = z.strictObject({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof FieldError>

/** The body of every error response (RFC 9457), sent as `application/problem+json`. */
export const ProblemBody = z.object({
  type: z.string().optional(),
  title: z.string(),
  status: z.number(),
  detail: z.string().optional(),
  errors: z.array(FieldError).optional(),
  requestId: z.string().optional(),
})
export type ProblemBody = z.infer<typeof ProblemBody>

/** Maximum number of field errors in one response. If there are more, the first ones have to be fixed first. */
export const MAX_FIELD_ERRORS = 100
/** The maximum length of a quoted name or text. */
const MAX_QUOTE_LENGTH = 300

/** Removes control characters, each of which would take six characters in JSON. */
const truncate = (text: string): string => {
  const short = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text
  return short.replace(/\p{Cc}/gu, '\uFFFD').toWellFormed()
}

/** The path of a field. Keys are truncated: one may be as long as the whole body, and be repeated in the path of each of its fields. */
export const formatPath = (keys: readonly PropertyKey[]): string => keys.map((key) => String(key).slice(0, MAX_QUOTE_LENGTH)).join('.')

/** The only error class that is thrown deliberately; rendered in one place on the server and read in one place in the browser. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  /** In the browser: the id of the failed request, as in the server's log. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    title: string,
    more: { detail?: string; errors?: FieldError[]; retryAfter?: number; requestId?: string; cause?: unknown } = {},
  ) {
    super(title, { cause: more.cause })
    this.status = status
    this.detail = more.detail
    this.errors = more.errors
    this.retryAfter = more.retryAfter
    this.requestId = more.requestId
  }

  /** The response body: limited in size, however much of the request it quotes. */
  toBody(): ProblemBody {
    const errors = this.errors
      ?.slice(0, MAX_FIELD_ERRORS)
      .map(({ path, message }) => ({ path: truncate(path), message: truncate(message) }))
    const more =
      errors && this.errors && this.errors.length > MAX_FIELD_ERRORS ? `Only the first ${MAX_FIELD_ERRORS} are listed.` : undefined
    const detail = more ?? (this.detail === undefined ? undefined : truncate(this.detail))
    return {
      title: truncate(this.message),
      status: this.status,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined ? {} : { errors }),
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
    }
  }
}

/** A body above the limit of its call, refused by the server or by a proxy in front of it. */
export const REQUEST_TOO_LARGE = 'The request is too large'
export const notFound = (what: string): Problem => new Problem(404, `${what} could not be found`)
/** Someone saved the record after it was read. */
export const staleVersion = (): Problem =>
  new Problem(412, 'Someone else changed this after you opened it', { detail: 'Reload it and make your change again.' })
export const tooManyRequests = (retryAfter: number): Problem =>
  new Problem(429, 'Too many requests', { detail: 'Wait a moment and try again.', retryAfter })
export const notSignedIn = (detail = 'Sign in to continue.'): Problem => new Problem(401, 'You are not signed in', { detail })
/** The call requires a signed-in person, but the caller is a program. */
export const sessionRequired = (): Problem =>
  new Problem(403, 'This cannot be done with an API token', { detail: 'Sign in with a browser to do this.' })
export const forbidden = (capability: string): Problem =>
  new Problem(403, 'You do not have access to do this', { detail: `This requires permission to ${capability}.` })
export const invalidFields = (errors: FieldError[]): Problem => new Problem(422, formatTitle(errors.length), { errors })

const formatTitle = (count: number): string => {
  if (count === 1) return 'One field needs to be corrected'
  return `${count > MAX_FIELD_ERRORS ? `More than ${MAX_FIELD_ERRORS}` : count} fields need to be corrected`
}

/** The field errors of a failed zod validation, including one per unknown key; limited to one more than a response contains. */
export const toFieldErrors = (error: z.ZodError): FieldError[] => {
  const errors: FieldError[] = []
  for (const { path, ...issue } of error.issues) {
    const found =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MAX_FIELD_ERRORS + 1).map((key) => ({ path: formatPath([...path, key]), message: UNKNOWN_FIELD }))
        : [{ path: formatPath(path), message: issue.message }]
    errors.push(...found)
    if (errors.length > MAX_FIELD_ERRORS) return errors.slice(0, MAX_FIELD_ERRORS + 1)
  }
  return errors
}

/** Parses a value with a schema; throws 422, with paths below `prefix`. */
export const parseInput = <S extends z.ZodType>(schema: S, value: unknown, prefix?: string): z.output<S> => {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const errors = toFieldErrors(checked.error)
  throw invalidFields(
    prefix === undefined ? errors : errors.map(({ path, message }) => ({ path: path ? `${prefix}.${path}` : prefix, message })),
  )
}
