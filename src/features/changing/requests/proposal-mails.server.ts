import { isEmail } from '../../../contract/emails.ts'
import { formatCount } from '../../../contract/format.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { toOneLine, toSubject } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'
import type { Proposal, ProposedField, ProposedRecord } from './contract.ts'
import { joinParagraphs } from './mails.server.ts'
import { formatFieldValue } from './rules.ts'

interface MailedProposal {
  readonly _id: string
  readonly record: ProposedRecord
  readonly name: string | null
  readonly email: string | null
  readonly note: string | null
  readonly fields: readonly ProposedField[]
}

/** A proposal in the form used by its emails. */
export const toMailed = (proposal: Proposal): MailedProposal => ({
  ...proposal,
  name: proposal.sender.name,
  email: proposal.sender.email,
})

/** For a value in an email; the page shows the whole value. */
const MAX_VALUE_LENGTH = 300

const shorten = (text: string): string => (text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)} …` : text)
export const formatValue = ({ path }: ProposedField, value: unknown, name: string | null): string =>
  shorten(formatFieldValue(path, value, name))

export const formatRecord = ({ kind, name }: ProposedRecord): string =>
  toOneLine(kind === 'charter_affair' ? `${name}, charter affair` : name)

/** Whether an email may show the fields: recipients of emails may not open charter affairs. */
const showsFields = ({ kind }: ProposedRecord): boolean => kind !== 'charter_affair'

/** The email to people who receive change requests for the region. */
export const buildProposalMail = (
  { _id, record, name, email, note, fields }: MailedProposal,
  recipients: readonly string[],
  publicUrl: string,
): NewMail => ({
  request: _id,
  kind: 'request',
  recipients,
  subject: toSubject(`Suggested ${fields.length === 1 ? 'change' : 'changes'}: ${formatRecord(record)}`),
  body: joinParagraphs(
    `${toOneLine([name, email ? `<${email}>` : null].filter(Boolean).join(' ')) || 'Someone'} suggests ${formatCount(fields.length, 'change')}.`,
    `${formatRecord(record)}\n${publicUrl}${getRecordPath(record)}`,
    ...(showsFields(record)
      ? [
          ...fields.map(
            (field) =>
              `${field.label}\n  Now: ${formatValue(field, field.before, field.beforeName)}\n  Suggested: ${formatValue(field, field.suggested, field.suggestedName)}`,
          ),
          note === null ? null : `Why: ${note}`,
        ]
      : ['What is suggested is shown only to people who can open the charter affair.']),
    `Decide: ${publicUrl}/requests/${_id}`,
  ),
  replyName: name === null ? null : toOneLine(name),
  replyTo: email !== null && isEmail(email) ? email : null,
})

const describeDecision = (field: ProposedField): string => {
  const suggested = formatValue(field, field.suggested, field.suggestedName)
  if (field.state === 'declined') return `Declined: ${field.label}, suggested ${suggested}\n  Why: ${field.word ?? ''}`
  return field.value === null
    ? `Accepted: ${field.label}, ${suggested}`
    : `Accepted: ${field.label}, changed to ${formatValue(field, field.value, null)} (you suggested ${suggested})`
}

/** The email to the sender with everything decided so far; null if the sender has no email address. */
export const buildDecisionMail = (
  { _id, record, email, fields }: MailedProposal,
  { decidedBy, note }: { decidedBy: string; note: string | null },
  publicUrl: string,
): NewMail | null => {
  if (email === null || !isEmail(email)) return null
  const accepted = fields.filter(({ state }) => state === 'accepted')
  const declined = fields.filter(({ state }) => state === 'declined')
  const open = fields.filter(({ state }) => state === 'open').length
  const counts = [accepted.length > 0 ? `${accepted.length} accepted` : null, declined.length > 0 ? `${declined.length} declined` : null]
  return {
    request: _id,
    kind: 'answer',
    recipients: [email],
    subject: toSubject(`Your suggestion for ${formatRecord(record)}: ${counts.filter(Boolean).join(', ')}`),
    body: joinParagraphs(
      `${toOneLine(decidedBy)} decided on your suggested ${fields.length === 1 ? 'change' : 'changes'} to ${formatRecord(record)}.`,
      ...(showsFields(record) ? [...accepted, ...declined].map(describeDecision) : []),
      open > 0 ? `${formatCount(open, 'field')} still ${open === 1 ? 'waits' : 'wait'} for a decision.` : null,
      showsFields(record) ? note : null,
      `See your suggestion: ${publicUrl}/requests/${_id}`,
    ),
  }
}
