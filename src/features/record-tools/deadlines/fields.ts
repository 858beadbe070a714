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
  /** Another field for the same deadline: if both have the same date, only that one is shown. */
  readonly sameAs?: string
}

const ofAffair = (section: string, field: string, kind: DeadlineKind, title: string, sameAs?: string): DeadlineSource => ({
  table: 'charter_affair',
  section,
  field,
  kind,
  title,
  ...(sameAs === undefined ? {} : { sameAs }),
})

/**
 * All fields that have a deadline. A field of an affair added here is read after each change of the affair, shown, and included in reminders. Texts
 * stored before are read once a migration adds their records to `deadline_pending`.
 */
export const DEADLINE_SOURCES: readonly DeadlineSource[] = [
  ofAffair('overview', 'charter_expiration_date', 'charter_term', 'Charter expires'),
  ofAffair('charter_terms', 'charter_expiration_date', 'charter_term', 'Charter expires', 'overview.charter_expiration_date'),
  ofAffair('overview', 'petition_submission_due_date', 'petition', 'Petition submission due'),
  ofAffair('overview', 'upcoming_authorizer_petition', 'petition', 'Upcoming authorizer petition'),
  ofAffair('overview', 'next_board_meeting', 'board_meeting', 'Board meeting'),
  ofAffair('overview', 'oversight_date', 'oversight', 'Oversight visit'),
  ofAffair('overview', 'dass_due_date', 'dass', 'DASS due'),
  ofAffair('overview', 'wasc_term_expiration', 'accreditation', 'WASC term expires'),
  ofAffair('overview', 'wasc_visit_date', 'accreditation', 'WASC visit'),
  ofAffair('overview', 'fol_visit', 'accreditation', 'FOL visit'),
  ofAffair('overview', 'fol_report_due_date', 'accreditation', 'FOL report due'),
  ofAffair('overview', 'funding_expiration', 'funding', 'Funding determination expires'),
  ofAffair('funding', 'funding_expiration', 'funding', 'Funding determination expires', 'overview.funding_expiration'),
  ofAffair('overview', 'funding_submission_date', 'funding', 'Funding submission'),
  ofAffair('funding', 'funding_submission_date', 'funding', 'Funding submission', 'overview.funding_submission_date'),
  ofAffair('overview', 'fy_audit', 'funding', 'Fiscal year audit'),
  ofAffair('funding', 'fy_audit', 'funding', 'Fiscal year audit', 'overview.fy_audit'),
  ofAffair('mou', 'mou_term', 'charter_term', 'MOU ends'),
  ofAffair('mou', 'petition_term', 'charter_term', 'Petition term ends'),
  { table: 'authorizer_board_member', section: null, field: 'board_term', kind: 'board_meeting', title: 'Board term ends' },
  { table: 'facility', section: null, field: 'lease_end', kind: 'lease', title: 'Lease ends' },
]

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
