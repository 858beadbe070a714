import { formatDay } from '../../../contract/dates.ts'
import type { MailState } from '../../../contract/mail.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { getRecordFormPath, PARTS } from '../../../contract/records.ts'
import { STATUS_LABELS } from '../../../contract/status.ts'
import type { Proposal, RequestMail, RequestRecord, RequestState } from './contract.ts'

/** The message for the sender after a request is saved: the actual delivery status. */
export const SAVED_MESSAGES: Record<MailState, string> = {
  mailed: 'Your request was saved and emailed to the people who handle it.',
  written: 'Your request was saved. Email is not set up, so the email was written to a file.',
  waiting: 'Your request was saved and will be emailed soon. You don’t need to send it again.',
  unaddressed: 'Your request was saved. No one is set up to receive these emails yet; it will be sent once someone is.',
  failed: 'Your request was saved, but the email could not be sent. Administrators can see it in the list of requests.',
}

export const REQUEST_STATE_LABELS: Record<RequestState, string> = { open: 'Open', done: 'Done', declined: 'Declined' }
export const REQUEST_KIND_LABELS: Record<RequestRecord['kind'], string> = { change: 'Change request', support: 'Support request' }

/** The title of a request: its subject. */
export const formatTitle = ({ kind, site, location }: Pick<RequestRecord, 'kind' | 'site' | 'location'>): string =>
  kind === 'support' ? 'IS support' : (site?.displayName ?? location ?? 'No site given')

/** The sender of a request, as far as known. */
export const formatSender = ({ name, email }: Pick<RequestRecord, 'name' | 'email'>): string => name ?? email ?? 'Someone who gave no name'

/** Whether an email failed, has no recipients, or had a problem and is retried. */
export const hasMailProblem = (mail: RequestMail | null): boolean =>
  mail !== null && (mail.state === 'failed' || mail.state === 'unaddressed' || (mail.state === 'waiting' && mail.problem !== null))

/** Whether an email problem needs attention: of the request's own email while the request is open, of the answer's email always. */
export const hasVisibleMailProblem = ({ state, mail, answerMail }: Pick<RequestRecord, 'state' | 'mail' | 'answerMail'>): boolean =>
  (state === 'open' && hasMailProblem(mail)) || hasMailProblem(answerMail)

/** Why it was not emailed, in a few words. */
export const formatMailProblem = ({ mail, answerMail }: Pick<RequestRecord, 'mail' | 'answerMail'>): string =>
  [mail, answerMail].some((one) => one?.state === 'unaddressed')
    ? 'Not emailed: no one is set up to receive it'
    : 'Not emailed: sending failed'

/** A day with its times: '03/15/2027 9:00AM to 10:00AM'; 'empty' for a weekday that is not set. */
const formatTimes = (value: object): string => {
  const { set, start_time, end_time, ...others } = value as Readonly<Record<string, unknown>>
  if (set === false) return 'empty'
  const words = Object.values(others).map((one) => (one ? formatFieldValue('', one, null) : ''))
  return [...words, typeof start_time === 'string' && typeof end_time === 'string' ? `${start_time} to ${end_time}` : '']
    .filter(Boolean)
    .join(' ')
}

/** The value of a field as text; `name` if it refers to another record. */
export const formatFieldValue = (path: string, value: unknown, name: string | null): string => {
  if (name !== null) return name
  if (value === null || value === undefined || value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => formatFieldValue(path, one, null)).join(', ')
  if (typeof value === 'object') return formatTimes(value)
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (typeof value !== 'string') return ''
  if (path === 'status' && value in STATUS_LABELS) return STATUS_LABELS[value as keyof typeof STATUS_LABELS]
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value)
  return /(^|\.)(phone|fax)$/.test(path) ? formatPhone(value) : value
}

/** How many fields of some suggestions wait for a decision. */
export const countOpenFields = (proposals: readonly Pick<Proposal, 'fields'>[]): number =>
  proposals.flatMap(({ fields }) => fields).filter(({ state }) => state === 'open').length

/** The pages with forms of parts, by the field of the part. */
const PART_PAGES = new Map(Object.values(PARTS).flatMap(({ owner, field, page }) => (page ? [[`${owner} ${field}`, page] as const] : [])))

/** The page whose form has the open fields of a suggestion; null if no single form has all of them. */
export const getFormPath = ({ record, fields }: Pick<Proposal, 'record' | 'fields'>): string | null => {
  const open = fields.filter(({ state }) => state === 'open').map(({ path }) => path.split('.')[0] ?? '')
  const [page, ...others] = new Set(open.map((part) => PART_PAGES.get(`${record.kind} ${part}`)))
  if (open.length === 0 || others.length > 0) return null
  return page === undefined ? getRecordFormPath(record) : buildPagePath(page, record.slug)
}
