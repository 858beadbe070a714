import { Problem } from '../../../contract/problem.ts'

/** A 422 about a whole file; the message says what to do. */
export const refuseFile = (message: string): Problem =>
  new Problem(422, 'This file cannot be used', { detail: message, errors: [{ path: 'file', message }] })
