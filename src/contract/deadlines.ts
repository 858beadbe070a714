import type { HistoryPart } from './history.ts'
import { getKindOfRow, isRowKind, type RecordKind, type RowKind } from './records.ts'

/** The kinds of deadlines, with their lead times: the numbers of days before the date on which the responsible person gets an email. */
export const DEADLINE_KINDS = {
  charter_term: { name: 'Charter term', leadDays: [365, 180, 90, 30] },
  petition: { name: 'Petition', leadDays: [180, 90, 30, 7] },
  oversight: { name: 'Oversight', leadDays: [60, 30, 7, 1] },
  accreditation: { name: 'Accreditation', leadDays: [60, 30, 7, 1] },
  funding: { name: 'Funding', leadDays: [60, 30, 7, 1] },
  dass: { name: 'DASS', leadDays: [60, 30, 7, 1] },
  board_meeting: { name: 'Board meeting', leadDays: [60, 30, 7, 1] },
  lease: { name: 'Lease', leadDays: [60, 30, 7, 1] },
} as const satisfies Record<string, { readonly name: string; readonly leadDays: readonly number[] }>

/** The longest lead time for a reminder. */
export const MAX_LEAD_DAYS = 730

export type DeadlineKind = keyof typeof DEADLINE_KINDS
export const KIND_NAMES = Object.keys(DEADLINE_KINDS) as [DeadlineKind, ...DeadlineKind[]]

/** A field that has a deadline. */
export interface DeadlineSource {
  readonly table: 'charter_affair' | 'authorizer_board_member' | 'facility'
  /** Of a charter affair. */
  readonly section: string | null
  readonly field: string
  readonly kind: DeadlineKind
  /** What is due. */
  readonly title: string
  /** What a date in it is. */
  readonly means: DateMeaning
  /** The names of what it is about: no other name may stand in a text whose date counts by itself. */
  readonly names: readonly string[]
  /** Another field for the same deadline: if both have the same date, only that one is shown. */
  readonly sameAs?: string
  /** Its column is a date, not a text. */
  readonly isDay?: true
}

/** The end of something, a term of which the end counts, something to submit, a meeting or visit. */
export type DateMeaning = 'end' | 'term' | 'due' | 'event'

const CHARTER = ['charter', 'charter term', 'current charter', 'term']
const PETITION = [
  'petition',
  'renewal',
  'renewal petition',
  'charter petition',
  'charter renewal petition',
  'material revision',
  'amendment',
  'new site',
]
const MEETING = ['next', 'regular', 'special', 'annual', 'upcoming']
const PLACES = [
  'board room',
  'boardroom',
  'district office',
  'county office',
  'main office',
  'via zoom',
  'by zoom',
  'zoom',
  'online',
  'virtual',
  'in person',
  'on site',
  'onsite',
]
const VISIT = [...MEETING, ...PLACES, 'visit', 'visits', 'site visit']
const WASC = [
  'wasc',
  'acs wasc',
  'wasc accreditation',
  'accreditation',
  'accreditation term',
  'accreditation status',
  'accredited',
  'term',
  'status',
]
const WASC_VISIT = [
  ...VISIT,
  'wasc',
  'accreditation',
  'mid-cycle',
  'mid-term',
  'full',
  'self-study',
  'full self-study',
  'committee',
  'one-day',
  'two-day',
  'three-day',
]
const FOL = ['fol', 'focus on learning']
const FUNDING = ['funding', 'determination', 'funding determination', 'nonclassroom-based', 'ncb', 'sb 740', 'term']
const AUDIT = ['audit', 'annual', 'independent', 'financial', 'report', 'audit report', 'next']

const ofAffair = (
  section: string,
  field: string,
  kind: DeadlineKind,
  title: string,
  means: DateMeaning,
  names: readonly string[],
  sameAs?: string,
): DeadlineSource => ({
  table: 'charter_affair',
  section,
  field,
  kind,
  title,
  means,
  names,
  ...(sameAs === undefined ? {} : { sameAs }),
})

/**
 * All fields that have a deadline. A field of an affair added here is read after each change of the affair, shown, and included in reminders. Texts
 * stored before are read once a migration adds their records to `deadline_pending`.
 */
export const DEADLINE_SOURCES: readonly DeadlineSource[] = [
  ofAffair('overview', 'charter_expiration_date', 'charter_term', 'Charter expires', 'end', CHARTER),
  ofAffair(
    'charter_terms',
    'charter_expiration_date',
    'charter_term',
    'Charter expires',
    'end',
    CHARTER,
    'overview.charter_expiration_date',
  ),
  ofAffair('overview', 'petition_submission_due_date', 'petition', 'Petition submission due', 'due', [...PETITION, 'submission', 'next']),
  ofAffair('overview', 'upcoming_authorizer_petition', 'petition', 'Upcoming authorizer petition', 'event', [
    ...PETITION,
    ...MEETING,
    ...PLACES,
    'hearing',
    'public hearing',
    'vote',
    'decision',
    'board meeting',
    'county',
    'district',
  ]),
  ofAffair('overview', 'next_board_meeting', 'board_meeting', 'Board meeting', 'event', [
    ...MEETING,
    ...PLACES,
    'board',
    'meeting',
    'board meeting',
    'governing board',
    'board of directors',
    'board of trustees',
    'open session',
  ]),
  ofAffair('overview', 'oversight_date', 'oversight', 'Oversight visit', 'event', [
    ...VISIT,
    'oversight',
    'authorizer',
    'district',
    'county',
    'review',
  ]),
  ofAffair('overview', 'dass_due_date', 'dass', 'DASS due', 'due', [
    'dass',
    'application',
    'dass application',
    'recertification',
    're-certification',
    'form',
    'next',
  ]),
  ofAffair('overview', 'wasc_term_expiration', 'accreditation', 'WASC term expires', 'end', WASC),
  ofAffair('overview', 'wasc_visit_date', 'accreditation', 'WASC visit', 'event', WASC_VISIT),
  ofAffair('overview', 'fol_visit', 'accreditation', 'FOL visit', 'event', [...VISIT, ...FOL]),
  ofAffair('overview', 'fol_report_due_date', 'accreditation', 'FOL report due', 'due', [...FOL, 'report', 'next']),
  ofAffair('overview', 'funding_expiration', 'funding', 'Funding determination expires', 'end', FUNDING),
  ofAffair('funding', 'funding_expiration', 'funding', 'Funding determination expires', 'end', FUNDING, 'overview.funding_expiration'),
  ofAffair('overview', 'funding_submission_date', 'funding', 'Funding submission', 'due', [
    ...FUNDING,
    'submission',
    'form',
    'request',
    'application',
    'window',
    'next',
  ]),
  ofAffair(
    'funding',
    'funding_submission_date',
    'funding',
    'Funding submission',
    'due',
    [...FUNDING, 'submission', 'form', 'request', 'application', 'window', 'next'],
    'overview.funding_submission_date',
  ),
  ofAffair('overview', 'fy_audit', 'funding', 'Fiscal year audit', 'due', AUDIT),
  ofAffair('funding', 'fy_audit', 'funding', 'Fiscal year audit', 'due', AUDIT, 'overview.fy_audit'),
  ofAffair('mou', 'mou_term', 'charter_term', 'MOU ends', 'term', [
    'mou',
    'term',
    'mou term',
    'current mou',
    'memorandum of understanding',
    'agreement',
  ]),
  ofAffair('mou', 'petition_term', 'charter_term', 'Petition term ends', 'term', [
    'petition',
    'term',
    'petition term',
    'charter',
    'charter term',
  ]),
  {
    table: 'authorizer_board_member',
    section: null,
    field: 'board_term',
    kind: 'board_meeting',
    title: 'Board term ends',
    means: 'term',
    names: ['term', 'board term', 'seat', 'board'],
  },
  {
    table: 'facility',
    section: null,
    field: 'lease_end',
    kind: 'lease',
    title: 'Lease ends',
    means: 'end',
    names: ['lease', 'lease term', 'term'],
    isDay: true,
  },
]

/** The tables with such fields. */
export const DEADLINE_TABLES = [...new Set(DEADLINE_SOURCES.map(({ table }) => table))]
/** The records that deadlines are read from: those of rows are read from the record that has the rows. */
export type DeadlineRecord = Exclude<DeadlineSource['table'], RowKind>
const toDeadlineRecord = (table: DeadlineSource['table']): DeadlineRecord => getKindOfRow(table) as DeadlineRecord
export const DEADLINE_RECORDS = [...new Set(DEADLINE_TABLES.map(toDeadlineRecord))]
/** Where a deadline was read: the record, its section, or the table of its row. */
export const getDeadlineOrigin = ({ table, section }: Pick<DeadlineSource, 'table' | 'section'>) => ({
  record: toDeadlineRecord(table),
  section: isRowKind(table) ? table : section,
})
/** The kinds of records by whose deadlines the list can be filtered. */
export const DEADLINE_OWNERS = ['region', 'brand', 'charter', 'site'] as const satisfies RecordKind[]

const sourcesOfTables = Map.groupBy(DEADLINE_SOURCES, ({ table }) => table as string)
const sourcesByField = new Map([...sourcesOfTables].map(([table, sources]) => [table, Map.groupBy(sources, ({ field }) => field)] as const))

/** The source of a stored deadline; undefined for one that people added, or from a field that no longer has deadlines. */
export const findSource = (table: string, section: string | null, field: string | null): DeadlineSource | undefined =>
  field === null
    ? undefined
    : sourcesByField
        .get(table)
        ?.get(field)
        ?.find((source) => source.section === section)

/** The source of a field in the form of a charter affair, by its path: `overview.oversight_date`, `authorizer_board_member.{_id}.board_term`. */
export const findSourceOfPath = (path: string): DeadlineSource | undefined => {
  const parts = path.split('.')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  return findSource(first, null, last) ?? findSource('charter_affair', first, last)
}

/** The source with this origin. */
export const findSourceOfOrigin = (section: string | null, field: string | null): DeadlineSource | undefined =>
  DEADLINE_SOURCES.find((source) => source.field === field && getDeadlineOrigin(source).section === section)

const KIND_WORDS = Object.fromEntries(Object.entries(DEADLINE_KINDS).map(([kind, { name }]) => [kind, name]))

/** The labels of a deadline in a history. */
export const deadlineHistory: HistoryPart = {
  name: 'the deadline',
  title: 'Deadlines',
  labels: {
    isByHand: 'Set by hand',
    isIgnored: 'Not a deadline',
    snoozedUntil: 'Put off until',
    yearly: 'Every year',
  },
  values: {
    kind: KIND_WORDS,
    state: { open: 'Open', handled: 'Handled', snoozed: 'Put off' },
  },
}
