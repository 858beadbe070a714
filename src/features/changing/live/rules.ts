import { Problem } from '../../../contract/problem.ts'

/** How often an open form is announced, and after how long without it no one is told about it any more: together less than ten seconds. */
export const ANNOUNCE_MS = 3000
export const FORM_EXPIRES_MS = 7500

const RETRY_SECONDS = 60
export const tooManyStreams = (): Problem =>
  new Problem(503, 'The server has too many open pages', {
    detail: 'Changes appear when a page is loaded again.',
    retryAfter: RETRY_SECONDS,
  })
