import { z } from 'zod'

import { call } from '../../../contract/call.ts'

/** Which emails an account gets. */
export const ReminderPreferences = z.strictObject({
  /** At the lead times of a deadline, and every week while it is overdue. */
  reminders: z.boolean(),
  /** On Monday morning. */
  digest: z.boolean(),
  /** When a check of a record is due. */
  checks: z.boolean(),
})
export type ReminderPreferences = z.infer<typeof ReminderPreferences>

export const readReminderPreferences = call('GET', '/api/account/reminders', {
  capability: 'browse the directory',
  sessionOnly: true,
  summary: 'Which mails about deadlines and checks the caller gets.',
  response: ReminderPreferences,
})

export const saveReminderPreferences = call('PUT', '/api/account/reminders', {
  capability: 'browse the directory',
  sessionOnly: true,
  summary: 'Sets which mails about deadlines and checks the caller gets. `checks` stays as it is where it is left out.',
  body: ReminderPreferences.partial({ checks: true }),
  response: ReminderPreferences,
})
