import { on, type Route } from '../../platform/server/handler.ts'
import { logError } from './contract.ts'
import { isWorthLogging } from './rules.ts'

/** Longest text kept of one field; a report is a hint, not an archive. */
const MOST = 10_000

const asText = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, MOST).replaceAll('\0', '\uFFFD').toWellFormed()
}

export const errorLogRoutes: Route[] = [
  on(logError, async ({ body, user, house }) => {
    if (!isWorthLogging(body)) return
    await house.db
      .insertInto('error_log')
      .values({
        account: user?.account ?? null,
        timestamp: asText(body.timestamp),
        context: asText(body.context),
        errorMessage: asText(body.errorMessage),
        errorName: asText(body.errorName),
        stackTrace: asText(body.stackTrace),
        errorLocation: asText(body.errorLocation),
        requestData: asText(body.requestData),
        responseData: asText(body.responseData),
      })
      .execute()
  }),
]
