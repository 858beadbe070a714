import { Problem } from '../../../../contract/problem.ts'

/** What is wrong with a field of the window, or with one entry of it. */
export const getFieldError = (error: unknown, path: string): string | undefined =>
  error instanceof Problem ? error.errors?.find((one) => one.path.split('.')[0] === path)?.message : undefined

/** An error of no field of the window. */
export const getOtherError = (error: unknown): unknown =>
  getFieldError(error, 'url') === undefined && getFieldError(error, 'events') === undefined ? error : null
