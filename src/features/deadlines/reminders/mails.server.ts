import { createDayFormat, formatDay } from '../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../contract/deadlines.ts'
import { capitalize, formatCount } from '../../../contract/format.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { type MailContent, type MailGroup, type MailRow, type MailText, renderMail } from '../../../platform/server/mail/layout.ts'
import type { NewMail } from '../../../platform/server/mail/store.ts'
import type { Deadline } from '../deadlines/contract.ts'
import { addDays, formatDistance, getAgendaGroup } from '../deadlines/rules.ts'
import { getMonday } from './rules.ts'

/** A deadline with what an email shows of it. */
export interface MailedDeadline {
  readonly deadline: Deadline
  /** Whether the recipient is responsible for it. */
  readonly isOwn: boolean
  /** Why the responsible person gets no email about it; it then counts as unassigned. */
  readonly problem: string | null
}

interface MailOptions {
  readonly recipient: string
  readonly publicUrl: string
  readonly today: string
  /** The last day before a gap without a server. */
  readonly missedSince: string | null
}

type RowOptions = Pick<MailOptions, 'publicUrl' | 'today'>

const MAX_ROWS = 25

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const formatNumber = (count: number): string => WORDS[count] ?? count.toLocaleString('en-US')
const toMonthDay = createDayFormat({ month: 'short', day: 'numeric' })
const toWeekday = createDayFormat({ weekday: 'short' })

/** 'Nov 23 to 29', 'Nov 30 to Dec 6'. */
const formatWeek = (monday: string): string => {
  const sunday = addDays(monday, 6)
  return `${toMonthDay(monday)} to ${monday.slice(0, 7) === sunday.slice(0, 7) ? Number(sunday.slice(8)) : toMonthDay(sunday)}`
}

const getPageUrl = ({ charter, site }: Deadline, publicUrl: string): string =>
  `${publicUrl}${
    charter === null
      ? buildPagePath('/location/fac/$slug', site?.slug ?? '')
      : getRecordPath({ kind: 'charter_affair', slug: charter.slug })
  }`

/** The list of unassigned deadlines of the same charter or site. */
const getListUrl = ({ charter, site }: Deadline, publicUrl: string): string =>
  `${publicUrl}/deadlines?responsible=none&${charter === null ? 'site' : 'charter'}=${encodeURIComponent((charter ?? site)?.slug ?? '')}`

const toRow = (
  { deadline, isOwn, problem }: MailedDeadline,
  { publicUrl, today }: RowOptions,
  list: 'mine' | 'all' | 'nobody',
): MailRow => {
  const { date, precision, title, kind, charter, site, responsible } = deadline
  const isUrgent = date < today
  const distance = formatDistance(date, today)
  const who = list === 'all' ? (isOwn ? 'Yours' : responsible?.name) : undefined
  return {
    mark: toMonthDay(date),
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { markAside: `, ${date.slice(0, 4)}` }),
    note: isUrgent ? distance : `${toWeekday(date)}, ${distance}`,
    isUrgent,
    title,
    href: getPageUrl(deadline, publicUrl),
    details: [
      [DEADLINE_KINDS[kind].name, (charter ?? site)?.name].filter(Boolean).join(', '),
      ...(precision === 'month' ? ['The text names the month alone'] : []),
      ...(who === undefined ? [] : [who]),
      ...(problem === null ? [] : [problem]),
    ],
    ...(list === 'nobody' ? { action: { text: 'Take it on', href: getListUrl(deadline, publicUrl) } } : {}),
  }
}

const toGroup = (
  title: string,
  all: readonly MailedDeadline[],
  options: RowOptions,
  { list, query, isUrgent = false }: { readonly list: 'mine' | 'all' | 'nobody'; readonly query: string; readonly isUrgent?: boolean },
): MailGroup[] =>
  all.length === 0
    ? []
    : [
        {
          title,
          count: all.length,
          isUrgent,
          rows: all.slice(0, MAX_ROWS).map((one) => toRow(one, options, list)),
          ...(all.length > MAX_ROWS
            ? {
                more: {
                  text: `${(all.length - MAX_ROWS).toLocaleString('en-US')} more`,
                  href: `${options.publicUrl}/deadlines${query}`,
                },
              }
            : {}),
        },
      ]

/** Deadlines by agenda group. */
const splitByDistance = (all: readonly MailedDeadline[], today: string) => {
  const groups = Map.groupBy(all, ({ deadline }) => getAgendaGroup(deadline.date, today))
  return {
    overdue: groups.get('Overdue') ?? [],
    week: groups.get('This week') ?? [],
    month: groups.get('Next 30 days') ?? [],
    later: (['Next 90 days', 'Next 365 days', 'Later'] as const).flatMap((name) => groups.get(name) ?? []),
  }
}
type ByDistance = ReturnType<typeof splitByDistance>

const toGroups = ({ overdue, week, month, later }: ByDistance, options: RowOptions, list: 'mine' | 'all'): MailGroup[] => {
  const query = list === 'mine' ? '?responsible=me' : ''
  return [
    ...toGroup('Overdue', overdue, options, { list, query, isUrgent: true }),
    ...toGroup('This week', week, options, { list, query }),
    ...toGroup('Next 30 days', month, options, { list, query }),
    ...toGroup('Later', later, options, { list, query }),
  ]
}

const formatClauses = (clauses: readonly (readonly [number, string, string])[], of: string): string => {
  const present = clauses.filter(([count]) => count > 0)
  const texts = present.map(
    ([count, one, more], at) => `${formatNumber(count)}${at === 0 ? ` of ${of}` : ''} ${count === 1 ? `is ${one}` : `are ${more}`}`,
  )
  const last = texts.pop()
  if (last === undefined) return ''
  return `${capitalize(texts.length === 0 ? last : `${texts.join(', ')} and ${last}`)}.`
}

const formatSummary = ({ overdue, week, month, later }: ByDistance, of: string): string =>
  formatClauses(
    [
      [overdue.length, 'overdue', 'overdue'],
      [week.length, 'due this week', 'due this week'],
      [month.length, 'due in the next 30 days', 'due in the next 30 days'],
      [later.length, 'due later', 'due later'],
    ],
    of,
  )

const formatMissed = (since: string | null): string[] =>
  since === null ? [] : [`No reminders could be sent since ${formatDay(since)}. This email has all of them.`]

const toMail = (content: MailContent, subject: string, kind: 'reminder' | 'digest', { recipient }: MailOptions): NewMail => ({
  kind,
  recipients: [recipient],
  subject,
  ...renderMail(content),
})

const formatCounts = (...counts: readonly (readonly [number, string])[]): string =>
  counts.flatMap(([count, what]) => (count > 0 ? [`${count.toLocaleString('en-US')} ${what}`] : [])).join(', ')

/** The email about deadlines at their lead times, or overdue. */
export const buildReminder = (deadlines: readonly MailedDeadline[], options: MailOptions): NewMail => {
  const { publicUrl, today, missedSince } = options
  const split = splitByDistance(deadlines, today)
  const coming = deadlines.length - split.overdue.length
  return toMail(
    {
      title: deadlines.length === 1 ? 'Your deadline' : 'Your deadlines',
      intro: [
        ...formatMissed(missedSince),
        deadlines.length === 1
          ? `You are responsible for this deadline. It is ${split.overdue.length > 0 ? 'overdue' : 'coming'}.`
          : formatSummary(split, 'your deadlines'),
      ],
      groups: toGroups(split, options, 'mine'),
      button: { text: 'Open my deadlines', href: `${publicUrl}/deadlines?responsible=me` },
      after: ['There a deadline can be marked as handled, or put off.'],
      foot: [
        'You get this because you are responsible for these deadlines. Reminders come at the lead times of a deadline, and every week while it is overdue.',
        { text: 'Change or stop these emails', href: `${publicUrl}/account` },
        '.',
      ],
    },
    `Your deadlines: ${formatCounts([split.overdue.length, 'overdue'], [coming, 'coming'])}`,
    'reminder',
    options,
  )
}

export interface DigestContent {
  readonly monday: string
  /** People who manage deadlines see all of them, others their own. */
  readonly isManager: boolean
  /** Overdue or due within 30 days, and those with a reminder today. */
  readonly deadlines: readonly MailedDeadline[]
  readonly unassigned: readonly MailedDeadline[]
  /** Dates to confirm: all of them for people who manage deadlines, their own for others. */
  readonly proposed: number
  readonly unread: number
  readonly contradictions: number
}

const formatToConfirm = (count: number): string => formatCount(count, ['date to confirm', 'dates to confirm'])

const formatToSortOut = ({ proposed, unread, contradictions, isManager }: DigestContent, publicUrl: string): MailText[] => {
  const href = `${publicUrl}/deadlines?view=sort-out${isManager ? '' : '&responsible=me'}`
  const parts = [
    ...(proposed > 0 ? [{ text: formatToConfirm(proposed), href }] : []),
    ...(unread > 0 ? [{ text: `${formatCount(unread, 'text')} without a date`, href }] : []),
    ...(contradictions > 0 ? [{ text: formatCount(contradictions, 'contradiction'), href }] : []),
  ]
  const separate = (at: number): string[] => (at === 0 ? [] : [at === parts.length - 1 ? 'and' : ','])
  return parts.length === 0 ? [] : ['To sort out:', ...parts.flatMap((part, at) => [...separate(at), part]), '.']
}

/** The Monday morning email. */
export const buildDigest = (content: DigestContent, options: MailOptions): NewMail => {
  const { monday, isManager, deadlines, unassigned, proposed } = content
  const { publicUrl, today, missedSince } = options
  const split = splitByDistance(deadlines, today)
  const count = unassigned.length
  const counts = formatCounts([split.overdue.length, 'overdue'], [split.week.length, 'coming'])
  const otherCounts = formatCounts([split.month.length + split.later.length, 'later'], [count, 'with nobody responsible'])
  const subject = [counts, otherCounts, formatToConfirm(proposed)].find((text) => text !== '')
  return toMail(
    {
      title: `Your week, ${formatWeek(monday)}`,
      intro: [
        ...formatMissed(missedSince),
        [
          formatSummary(split, isManager ? 'the deadlines' : 'your deadlines'),
          ...(count > 0 ? [`${capitalize(formatNumber(count))} ${count === 1 ? 'has' : 'have'} nobody responsible.`] : []),
          ...(proposed > 0 ? [`${formatToConfirm(proposed)}: no reminders are sent about dates that are not certain.`] : []),
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      ],
      groups: [
        ...toGroups(split, options, isManager ? 'all' : 'mine'),
        ...toGroup('Nobody responsible', unassigned, options, { list: 'nobody', query: '?responsible=none' }),
      ],
      button: isManager
        ? { text: 'Open the deadlines', href: `${publicUrl}/deadlines` }
        : { text: 'Open my deadlines', href: `${publicUrl}/deadlines?responsible=me` },
      after: formatToSortOut(content, publicUrl),
      foot: [
        `You get this on Mondays because ${isManager ? 'you manage deadlines' : 'deadlines are yours'}. In a week with nothing to report, no email is sent.`,
        { text: 'Change or stop these emails', href: `${publicUrl}/account` },
        '.',
      ],
    },
    `${isManager ? 'Deadlines' : 'Your deadlines'} this week: ${subject}`,
    'digest',
    options,
  )
}

/** What a message in a channel says of deadlines: the same to everyone there. */
export type DeadlineMessage = Pick<MailContent, 'title' | 'intro' | 'groups'> & { readonly button: NonNullable<MailContent['button']> }

const toMessage = (title: string, deadlines: readonly MailedDeadline[], options: RowOptions): DeadlineMessage => {
  const split = splitByDistance(deadlines, options.today)
  return {
    title,
    intro: [formatSummary(split, 'the deadlines')],
    groups: toGroups(split, options, 'all'),
    button: { text: 'Open the deadlines', href: `${options.publicUrl}/deadlines` },
  }
}

export const buildWeekMessage = (deadlines: readonly MailedDeadline[], options: RowOptions): DeadlineMessage =>
  toMessage(`Deadlines this week, ${formatWeek(getMonday(options.today))}`, deadlines, options)

export const buildOverdueMessage = (deadlines: readonly MailedDeadline[], options: RowOptions): DeadlineMessage =>
  toMessage(deadlines.length === 1 ? 'A deadline is overdue' : `${deadlines.length} deadlines are overdue`, deadlines, options)
