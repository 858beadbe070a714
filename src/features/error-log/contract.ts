import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'

const said = z.unknown()

/** What a browser reports when something failed (section 7). Every field is free: a report must not fail for its form. */
export const ErrorReport = z.strictObject({
  timestamp: said.optional(),
  context: said.optional(),
  errorMessage: said.optional(),
  errorName: said.optional(),
  stackTrace: said.optional(),
  errorLocation: said.optional(),
  requestData: said.optional(),
  responseData: said.optional(),
})
export type ErrorReport = z.infer<typeof ErrorReport>

export const logError = call({
  method: 'POST',
  path: '/log-error',
  needs: 'no session',
  does: 'Keeps an error that a browser met (D51).',
  body: ErrorReport,
  answer: 'nothing',
  lenient: true,
})
