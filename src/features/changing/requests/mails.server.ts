import { isEmail } from '../../../contract/emails.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { toOneLine, toSubject } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'

/** A valid email address, or null. */
const toAddress = (text: string | null): string | null => (text !== null && isEmail(text) ? text : null)

/** The fields of a request that its emails use. */
export interface MailRequest {
  readonly _id: string
  readonly kind: 'change' | 'support'
  readonly text: string
  readonly location: string | null
  readonly site: { readonly slug: string; readonly displayName: string } | null
  readonly name: string | null
  readonly email: string | null
  readonly isSignedIn: boolean
}

export const formatSubject = ({ kind, site, location, name }: MailRequest): string => {
  const about = kind === 'change' ? (site?.displayName ?? location) : name
  const title = kind === 'change' ? 'Change request' : 'IS support request'
  return toSubject(about ? `${title}: ${about}` : title)
}

export const formatFrom = ({ name, email, isSignedIn }: Pick<MailRequest, 'name' | 'email' | 'isSignedIn'>): string => {
  const who = toOneLine([name, email ? `<${email}>` : null].filter(Boolean).join(' '))
  if (who === '') return 'Someone who gave no name'
  return isSignedIn ? who : `${who} (not signed in; name and email as entered)`
}

/** Who sent what. */
export const formatSent = (request: MailRequest): string =>
  `${formatFrom(request)} ${request.kind === 'change' ? 'requested a change.' : 'sent a support request to Information Services.'}`

export const joinParagraphs = (...all: (string | null)[]): string => `${all.filter((one) => one !== null).join('\n\n')}\n`

/** The email to the recipients of requests; `notice` is the message its sender got about the location. */
export const buildRequestMail = (
  request: MailRequest,
  notice: string | null,
  recipients: readonly string[],
  publicUrl: string,
): NewMail => {
  const { _id, kind, text, site, location, name, email } = request
  const about =
    kind === 'change'
      ? site
        ? `${toOneLine(site.displayName)}\n${publicUrl}${getRecordPath({ kind: 'site', slug: site.slug })}`
        : location
      : null
  return {
    request: _id,
    kind: 'request',
    recipients,
    subject: formatSubject(request),
    body: joinParagraphs(
      formatSent(request),
      about && (site ? about : toOneLine(about)),
      notice,
      text,
      `Answer this request: ${publicUrl}/requests?request=${_id}`,
    ),
    replyName: name === null ? null : toOneLine(name),
    replyTo: toAddress(email),
  }
}

/**
 * The email with the answer; null if the sender's address is unknown. A sender without a session may have given another person's address: then the
 * email contains nothing that they wrote, neither their text nor their name.
 */
export const buildAnswerMail = (
  request: MailRequest,
  { state, word: message, answeredBy }: { state: 'done' | 'declined'; word: string | null; answeredBy: string },
  publicUrl: string,
): NewMail | null => {
  const to = toAddress(request.email)
  if (to === null) return null
  const what =
    request.kind === 'change'
      ? `your change request${request.site ? ` for ${toOneLine(request.site.displayName)}` : ''}`
      : 'your support request'
  const answer = state === 'done' ? 'done' : 'declined'
  const subject = formatSubject(request.isSignedIn ? request : { ...request, name: null })
  return {
    request: request._id,
    kind: 'answer',
    recipients: [to],
    subject: toSubject(`${state === 'done' ? 'Done' : 'Declined'}: ${subject}`),
    body: joinParagraphs(
      `${toOneLine(answeredBy)} marked ${what} as ${answer}.`,
      message,
      ...(request.isSignedIn
        ? ['Your request:', request.text, `See your requests: ${publicUrl}/requests`]
        : [
            'This request was sent without signing in, and this address was given with it. If it was not you, you can ignore this message.',
          ]),
    ),
  }
}
