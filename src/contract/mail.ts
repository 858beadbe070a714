import { z } from 'zod'

/**
 * The state of an email: mailed; written to a file, where no mail server is set; waiting for its next try; unaddressed, while no one is
 * set to get it; failed, when the mail server has refused it for good.
 */
export const MailState = z.enum(['mailed', 'written', 'waiting', 'unaddressed', 'failed'])
export type MailState = z.infer<typeof MailState>
