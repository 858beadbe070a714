import { isEmail } from '../../../contract/emails.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import { toOneLine, toSubject } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'
import type { Subject } from './subjects.server.ts'

interface MailedComment {
  readonly _id: string
  /** With the names of the people in it. */
  readonly text: string
  readonly subject: Subject
  readonly author: SignedIn
}

/** The email about a comment. Emails contain nothing about charter affairs. */
export const buildCommentMail = (
  { _id, text, subject, author }: MailedComment,
  { address, isMentioned }: { readonly address: string; readonly isMentioned: boolean },
  publicUrl: string,
): NewMail => {
  const name = toOneLine(subject.name)
  const by = toOneLine(author.name)
  const isQuoted = subject.charter === null
  return {
    comment: _id,
    kind: 'comment',
    recipients: [address],
    subject: toSubject(isMentioned ? `${by} mentioned you: ${name}` : `New comment: ${name}`),
    body: [
      `${by} ${isMentioned ? 'mentioned you in a comment on' : 'commented on'} ${name}${isQuoted ? ':' : '.'}`,
      isQuoted ? text : 'The comment is shown only to people who can open the page.',
      `Read and answer it: ${publicUrl}${subject.path}#comments\n`,
    ].join('\n\n'),
    replyName: by,
    replyTo: isEmail(author.azureID) ? author.azureID : null,
  }
}
