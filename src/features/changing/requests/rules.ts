import type { MailState } from '../../../platform/contract/mail.ts'
import type { RequestMail, RequestRecord, RequestState } from './contract.ts'

/** What the sender is told once a request is kept: what is so, and not what is hoped. */
export const SAVED_MESSAGES: Record<MailState, string> = {
  mailed: 'Your request was saved and emailed to the people who handle it.',
  written: 'Your request was saved. Email is not set up, so the email was written to a file.',
  waiting: 'Your request was saved and will be emailed soon. You don’t need to send it again.',
  unaddressed: 'Your request was saved. No one is set up to receive these emails yet; it will be sent once someone is.',
  failed: 'Your request was saved, but the email could not be sent. Administrators can see it in the list of requests.',
}

export const STATE_LABELS: Record<RequestState, string> = { open: 'Open', done: 'Done', declined: 'Declined' }
export const KIND_LABELS: Record<RequestRecord['kind'], string> = { change: 'Change request', support: 'Support request' }

/** What a request is called in a list: by what it is about. */
export const formatTitle = ({ kind, site, location }: Pick<RequestRecord, 'kind' | 'site' | 'location'>): string =>
  kind === 'support' ? 'IS support' : (site?.displayName ?? location ?? 'No site given')

/** Who asks, as far as is known. */
export const formatSender = ({ name, email }: Pick<RequestRecord, 'name' | 'email'>): string => name ?? email ?? 'Someone who gave no name'

/** Whether a mail does not go out by itself, or has trouble doing so. */
export const hasMailProblem = (mail: RequestMail | null): boolean =>
  mail !== null && (mail.state === 'failed' || mail.state === 'unaddressed' || (mail.state === 'waiting' && mail.problem !== null))

/** Whether somebody should look at a request's mails: at the one that tells of it while it is open, at the one that tells its answer always. */
export const hasVisibleMailProblem = ({ state, mail, answerMail }: Pick<RequestRecord, 'state' | 'mail' | 'answerMail'>): boolean =>
  (state === 'open' && hasMailProblem(mail)) || hasMailProblem(answerMail)
