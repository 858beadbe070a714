import { type CheckIntervals, CHECKED_KINDS, type CheckedKind, isDue } from '../../../contract/checks.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getModelId } from '../../../platform/server/read-model/read-record.ts'
import { toCheckFields, toRegionReference } from '../../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'
import { getReader } from '../../deadlines/deadlines/queries.server.ts'
import { type CheckedRow, getCheckIndex, isChecked } from './check-index.server.ts'
import type { RecordToCheck } from './contract.ts'
import { canEdit, getDueMoment, getDueSince } from './rules.ts'

export { readStoredCheckSettings } from './settings.server.ts'

type RecordContext = Pick<AppContext, 'db' | 'lists' | 'readModel' | 'now'>

/** Someone who checks records: their level, and their record in the directory. */
export interface Checker {
  readonly level: number
  readonly person: string | null
}

export const getChecker = async (context: Pick<AppContext, 'db'>, user: SignedIn): Promise<Checker> => ({
  level: user.accessLevel,
  person: (await getReader(context, user)).person,
})

/** The leadership roles at a site, or of a person. */
const listLeadership = (model: ReadModel, of: 'site' | 'person', _id: string): ModelRow<'site_person'>[] =>
  model
    .table('site_person')
    .where(of, _id)
    .filter(({ role }) => model.table('role').get(role)?.group === 'LEADERSHIP')

/** The `_id`s of the people responsible for a record: those with a leadership role at a site, and each person for themselves. */
export const listAnswering = (model: ReadModel, kind: CheckedKind, _id: string): string[] => {
  if (kind === 'person') return [_id]
  if (kind === 'charter') return []
  return [...new Set(listLeadership(model, 'site', _id).map(({ person }) => person))]
}

/** Whether someone may confirm a record: the people responsible for it, and people who can edit it. */
export const mayCheck = (model: ReadModel, { level, person }: Checker, kind: CheckedKind, _id: string): boolean =>
  canEdit(level, kind) || (person !== null && listAnswering(model, kind, _id).includes(person))

/** The `_id`s of the records of a kind that a person is responsible for. */
const listOwn = (model: ReadModel, kind: CheckedKind, person: string | null): string[] => {
  if (person === null || kind === 'charter') return []
  if (kind === 'person') return [person]
  return [...new Set(listLeadership(model, 'person', person).map(({ site }) => site))]
}

/** The region of a site, or the regions of a person's or charter's sites, those with most sites first. */
const listRegions = (model: ReadModel, kind: CheckedKind, _id: string): string[] => {
  const sites =
    kind === 'site'
      ? [_id]
      : kind === 'charter'
        ? model
            .table('site')
            .where('charter', _id)
            .map((site) => site._id)
        : model
            .table('site_person')
            .where('person', _id)
            .map(({ site }) => site)
  const counts = new Map<string, number>()
  for (const site of new Set(sites)) {
    const region = model.table('site').get(site)?.region
    if (region) counts.set(region, (counts.get(region) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([region]) => region)
}

const getRow = (model: ReadModel, kind: CheckedKind, _id: string): CheckedRow | undefined =>
  model.table(kind).get(_id) as CheckedRow | undefined

export const getRecordName = (row: CheckedRow): string => ('displayName' in row ? row.displayName : row.name)

const toRecord = (model: ReadModel, kind: CheckedKind, row: CheckedRow, intervals: CheckIntervals, now: Date): RecordToCheck => {
  const region = model.table('region').get(listRegions(model, kind, row._id)[0] ?? null)
  return {
    kind,
    _id: row._id,
    slug: row.slug,
    name: getRecordName(row),
    region: region ? toRegionReference(region) : null,
    ...toCheckFields(row),
    isDue: isDue(row.checkedAt, intervals[kind], now),
    dueSince: getDueSince(row.checkedAt, intervals[kind], now),
  }
}

export interface CheckFilter {
  readonly isDue?: boolean | undefined
  /** An `_id` or slug. */
  readonly region?: string | undefined
  readonly kind?: CheckedKind | undefined
  readonly limit?: number | undefined
  /** Only what the person is responsible for, whatever their level. */
  readonly isOwn?: boolean | undefined
}

/** Later than any check. */
const NEVER = new Date('9999-12-31')

/**
 * The records that someone should check: never checked ones first, then by oldest check. People who may edit a kind see all its records, others those
 * that they are responsible for. Throws 404 for an unknown region.
 */
export const listRecordsToCheck = async (context: RecordContext, checker: Checker, filter: CheckFilter): Promise<RecordToCheck[]> => {
  const index = await getCheckIndex(context)
  const intervals = await index.getIntervals()
  const { readModel: model } = context
  const now = context.now()
  const region = filter.region === undefined ? undefined : getModelId(model, 'region', filter.region)
  const found: { readonly kind: CheckedKind; readonly row: CheckedRow }[] = []
  for (const kind of CHECKED_KINDS) {
    const dueMoment = getDueMoment(intervals[kind], now)
    if (dueMoment === undefined || (filter.kind !== undefined && filter.kind !== kind)) continue
    const isListed = (row: CheckedRow | undefined): row is CheckedRow =>
      row !== undefined &&
      isChecked(row) &&
      (!filter.isDue || isDue(row.checkedAt, intervals[kind], now)) &&
      (region === undefined || listRegions(model, kind, row._id).includes(region))
    const ids =
      canEdit(checker.level, kind) && !filter.isOwn
        ? index.listNotCheckedSince(kind, filter.isDue ? dueMoment : NEVER)
        : listOwn(model, kind, checker.person)
    for (const _id of ids) {
      const row = getRow(model, kind, _id)
      if (isListed(row)) found.push({ kind, row })
    }
  }
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return found
    .toSorted(
      (a, b) =>
        compare(a.row.checkedAt ?? '', b.row.checkedAt ?? '') ||
        compare(getRecordName(a.row), getRecordName(b.row)) ||
        compare(a.row._id, b.row._id),
    )
    .slice(0, filter.limit)
    .map(({ kind, row }) => toRecord(model, kind, row, intervals, now))
}
