import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { id, text } from '../../contract/fields.ts'

/** An employee of the HR source. */
export const StaffSearchResult = z.strictObject({
  FirstName: text,
  LastName: text,
  Hris_EmailAddress: text,
  EmailAddress: text,
  Title: text,
  Department: text,
  Company: text,
  Region: text,
  PersonID: z.string(),
})
export type StaffSearchResult = z.infer<typeof StaffSearchResult>

export const MIN_QUERY_LENGTH = 2
export const MAX_QUERY_LENGTH = 100
export const MAX_EMPLOYEES = 50

export const searchStaff = call('GET', '/api/sql/:query', {
  capability: 'manage the network',
  // Each call queries the HR source, which is another system.
  rateLimit: { perMinute: 6000 },
  summary:
    'Employees in the HR source by name, number or email, at most 50. With ?withEmails=true only people who have both email addresses.',
  // The handler checks the length, so that a short text is an invalid field (422) and not an unknown path (404).
  params: z.object({ query: z.string() }),
  query: z.strictObject({ withEmails: z.enum(['true', 'false'], 'Enter true or false').optional() }),
  response: z.strictObject({ recordset: z.array(StaffSearchResult) }),
})

const EmployeeIdentity = z.strictObject({
  PersonID: z.string().max(500),
  EmailAddress: z.string().max(500).nullable(),
  Hris_EmailAddress: z.string().max(500).nullable(),
})

export const findKnownStaff = call('POST', '/api/hr/known', {
  capability: 'manage the network',
  summary: 'Which of these employees are already in the application, by HR number or either email address, ignoring case. Changes nothing.',
  body: z.strictObject({ employees: z.array(EmployeeIdentity).max(MAX_EMPLOYEES, `At most ${MAX_EMPLOYEES}`) }),
  response: z.array(z.strictObject({ PersonID: z.string(), person: z.strictObject({ _id: id, slug: z.string(), name: z.string() }) })),
})
