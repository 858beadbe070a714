import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { id } from '../../platform/contract/fields.ts'

const claimed = z.string().trim().max(200, 'At most 200 characters').optional()

/** What somebody asks Information Services for (D45). Name and address count only without a session (D41). */
export const SupportRequest = z.strictObject({
  request: z.string().trim().min(1, 'Please say what you need').max(5000, 'At most 5000 characters'),
  name: claimed,
  email: claimed,
})
export type SupportRequest = z.infer<typeof SupportRequest>

export const sendSupportRequest = call({
  method: 'POST',
  path: '/locations-api/is_support',
  needs: 'no session',
  does: 'Sends an IT support request to Information Services; it is stored first and mailed after (D25).',
  body: SupportRequest,
  answer: z.strictObject({ _id: id }),
})
