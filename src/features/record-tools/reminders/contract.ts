import { z } from 'zod'

import { call } from '../../../contract/call.ts'

/** Which mails about deadlines an account gets. */
export const ReminderPreferences = z.strictObject({
  /** At the lead times of a deadline, and every week while it is overdue. */
  reminders: z.boolean(),
  /** On Monday morning. */
  digest: z.boolean(),
})
export type ReminderPreferences = z.infer<typeof ReminderPreferences>

export const readReminderPreferences = call({
  method: 'GET',
  path: '/api/account/reminders',
  capability: 'browse the directory',
  sessionOnly: true,
  summary: 'Which mails about deadlines the caller gets.',
  response: ReminderPreferences,
})

export const saveReminderPreferences = call({
  method: 'PUT',
  path: '/api/account/reminders',
  capability: 'browse the directory',
  sessionOnly: true,
  summary: 'Sets which mails about deadlines the caller gets.',
  body: ReminderPreferences,
  response: ReminderPreferences,
})
