import { Problem } from '../../../contract/problem.ts'

/** A 422 about a whole file; the message says what to do. */
export const refuseFile = (message: string): Problem =>
  new Problem(422, 'This file cannot be used', { detail: message, errors: [{ path: 'file', message }] })

/** More differing cells are refused: they are in memory while a file is compared. */
export const MAX_CELLS = 200_000
