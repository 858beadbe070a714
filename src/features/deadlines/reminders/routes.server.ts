import { handle, type Route } from '../../../platform/server/handler.ts'
import { readReminderPreferences, saveReminderPreferences } from './contract.ts'
import { savePreferences } from './mutations.server.ts'
import { readPreferences } from './queries.server.ts'

export const reminderRoutes: Route[] = [
  handle(readReminderPreferences, async ({ user, context }) => readPreferences(context.db, user.account)),
  handle(saveReminderPreferences, async ({ body, user, context }) => savePreferences(context.db, user.account, body)),
]
