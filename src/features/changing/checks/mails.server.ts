import type { CheckedKind } from '../../../contract/checks.ts'
import { formatMomentDay } from '../../../contract/dates.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { type MailFact, type MailRecord, type MailText, renderMail } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'

/** A record that someone is asked to check. */
export interface DueRecordLine {
  readonly kind: CheckedKind
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly checkedAt: string | null
  readonly checkedBy: string | null
  /** Why this person is asked. */
  readonly reason: 'leadership' | 'self' | 'editor'
}

interface CheckMailOptions {
  readonly recipient: string
  /** The recipient's name in the directory. */
  readonly name: string | null
  readonly publicUrl: string
  readonly timeZone: string
  readonly intervals: Readonly<Record<CheckedKind, number | null>>
  /** Whether all of these were mentioned in an earlier email. */
  readonly isSecond: boolean
  readonly listFacts: (kind: CheckedKind, _id: string) => readonly MailFact[]
}

/** The number of records shown with all their facts, and of others listed by name. */
const MAX_RECORDS = 10
const MAX_NAMED = 25

const getUrl = (record: DueRecordLine, publicUrl: string, check?: 'right' | 'wrong'): string =>
  `${publicUrl}${getRecordPath(record)}${check === undefined ? '' : `?check=${check}`}`

const formatLastCheck = ({ checkedAt, checkedBy }: DueRecordLine, { name, timeZone }: CheckMailOptions): string => {
  if (checkedAt === null) return 'It was never checked.'
  const who = checkedBy === null ? '' : ` by ${checkedBy}`
  const day = formatMomentDay(checkedAt, timeZone)
  return name !== null && checkedBy === name ? `You last checked it on ${day}.` : `It was last checked on ${day}${who}.`
}

const formatTitle = (records: readonly DueRecordLine[]): string => {
  const [first] = records
  if (first && records.length === 1)
    return first.reason === 'self'
      ? 'Is your own record right?'
      : `Is everything right ${first.kind === 'site' ? 'at' : 'about'} ${first.name}?`
  const kinds = new Set(records.map(({ kind }) => kind))
  const what = first && kinds.size === 1 ? RECORD_NOUNS[first.kind][1] : 'records'
  return `Are these ${records.length.toLocaleString('en-US')} ${what} right?`
}

const toRecord = (record: DueRecordLine, isAlone: boolean, options: CheckMailOptions): MailRecord => ({
  title: isAlone ? null : record.name,
  note: isAlone ? null : formatLastCheck(record, options),
  facts: options.listFacts(record.kind, record._id),
  buttons: [
    { text: 'Everything is right', href: getUrl(record, options.publicUrl, 'right') },
    { text: 'Something is wrong', href: getUrl(record, options.publicUrl, 'wrong') },
  ],
})

const REASONS = {
  leadership: ['you have a leadership role at this site', 'you have a leadership role at these sites'],
  self: ['this is your own record', 'these are records of yours'],
  editor: [
    'you can edit this record, and no one responsible for it has an email address',
    'you can edit these records, and no one responsible for them has an email address',
  ],
} as const

const formatReason = (records: readonly DueRecordLine[]): string => {
  const reasons = [...new Set(records.map(({ reason }) => reason))]
  const [only] = reasons
  if (only && reasons.length === 1) return REASONS[only][records.length === 1 ? 0 : 1]
  return 'you are responsible for these records, or can edit them'
}

const formatIntervals = (records: readonly DueRecordLine[], { intervals }: CheckMailOptions): string => {
  const days = [...new Set(records.map(({ kind }) => intervals[kind]))]
  const [only] = days
  return days.length === 1 && only ? `We ask every ${only === 1 ? 'day' : `${only} days`}` : 'We ask from time to time'
}

/** The links to records that are listed by name only. */
const formatOthers = (others: readonly DueRecordLine[], { publicUrl }: CheckMailOptions): MailText[] =>
  others.length === 0
    ? []
    : [
        others.length === 1 ? 'Also waiting:' : `${others.length.toLocaleString('en-US')} more are waiting:`,
        ...others
          .slice(0, MAX_NAMED)
          .flatMap((record, at): MailText[] => [...(at === 0 ? [] : [',']), { text: record.name, href: getUrl(record, publicUrl) }]),
        ...(others.length > MAX_NAMED ? [`, and ${(others.length - MAX_NAMED).toLocaleString('en-US')} others`] : []),
        '.',
      ]

/** A single email about all records that someone has to check now. */
export const buildCheckMail = (records: readonly DueRecordLine[], options: CheckMailOptions): NewMail => {
  const title = formatTitle(records)
  const [first] = records
  const isAlone = records.length === 1
  const intro =
    first && isAlone
      ? `${formatLastCheck(first, options)} If all of this is ${first.checkedAt === null ? 'right' : 'still so'}, press “Everything is right”.`
      : 'It is time to check them. Where everything is still so, press “Everything is right”.'
  return {
    kind: 'check',
    recipients: [options.recipient],
    subject: options.isSecond ? `Reminder: ${title}` : title,
    ...renderMail({
      title,
      intro: [intro],
      groups: [],
      records: records.slice(0, MAX_RECORDS).map((record) => toRecord(record, isAlone, options)),
      after: [
        'Both buttons open Homeroom, which asks once more, so that no mail program can confirm for you.',
        ...formatOthers(records.slice(MAX_RECORDS), options),
      ],
      foot: [
        `You get this because ${formatReason(records)}. ${formatIntervals(records, options)}, and once more after 14 days.`,
        { text: 'Change or stop these emails', href: `${options.publicUrl}/account` },
        '.',
      ],
    }),
  }
}
