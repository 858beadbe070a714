import { z } from 'zod'

/**
 * The state of an email: mailed; written to a file, if no mail server is configured; waiting for its next attempt; unaddressed, if there are no
 * recipients yet; failed, if the mail server has refused it permanently.
 */
export const MailState = z.enum(['mailed', 'written', 'waiting', 'unaddressed', 'failed'])
export type MailState = z.infer<typeof MailState>
