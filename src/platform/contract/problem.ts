import { z } from 'zod'

import { UNKNOWN_FIELD } from './messages.ts'

/** One wrong field: where it is (`address.zip`) and what is wrong with it. */
export const FieldError = z.strictObject({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof FieldError>

/** Every error answer (D4, RFC 9457), sent as `application/problem+json`. */
export const ProblemAnswer = z.object({
  type: z.string().optional(),
  title: z.string(),
  status: z.number(),
  detail: z.string().optional(),
  errors: z.array(FieldError).optional(),
  requestId: z.string().optional(),
})
export type ProblemAnswer = z.infer<typeof ProblemAnswer>

/** The one kind of error that is thrown on purpose; rendered in one place on the server and read in one place in the browser. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined
  /** In a browser: the request the server failed at, as its log names it. */
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

  toAnswer(): ProblemAnswer {
    return {
      title: this.message,
      status: this.status,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
    }
  }
}

export const notFound = (what: string): Problem => new Problem(404, `${what} could not be found`)
/** Somebody saved the record after it was read (D6). */
export const stale = (): Problem =>
  new Problem(412, 'Somebody else has changed this in the meantime', { detail: 'Read it again and make the change once more.' })
export const noSession = (detail = 'Sign in to go on.'): Problem => new Problem(401, 'You are not signed in', { detail })
/** The call is for people who have signed in, and a program asked (D9). */
export const onlyInPerson = (): Problem =>
  new Problem(403, 'An API token does not allow this', { detail: 'It takes somebody who has signed in with a browser.' })
export const levelTooLow = (needs: string): Problem =>
  new Problem(403, 'Your access does not allow this', { detail: `It needs: ${needs}.` })
export const badFields = (errors: FieldError[]): Problem =>
  new Problem(422, errors.length === 1 ? 'One field is not right' : `${errors.length} fields are not right`, { errors })

/** The field errors of a failed zod check, one for each unknown key as well (D5). */
export const fieldErrorsOf = (error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) => {
    const at = issue.path.map(String)
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...at, key].join('.'), message: UNKNOWN_FIELD }))
      : [{ path: at.join('.'), message: issue.message }]
  })
