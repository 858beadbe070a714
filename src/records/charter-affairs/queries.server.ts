import { sql } from 'kysely'

import { memoize } from '../../contract/memoize.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { toIsoTimestamp } from '../../database/json.server.ts'
import { selectRowsBefore } from '../../database/past-rows.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { findModelId, readRecord } from '../../platform/server/read-model/read-record.ts'
import { toMoment } from '../../platform/server/read-model/references.ts'
import { SharedReads } from '../../platform/server/shared-reads.ts'
import { toCharter } from '../charters/queries.server.ts'
import {
  affairSections,
  type AuthorizerBoardMember,
  type CenterDistrict,
  type CharterAffair,
  type CharterWithAffair,
  AFFAIR_SECTIONS,
} from './contract.ts'
import { type AffairSection } from './fields.ts'

/** A stored section with exactly the fields of the contract, empty ones as null. */
const toFullSection = (name: AffairSection, stored: Record<string, string | null>): Record<string, string | null> =>
  Object.fromEntries(Object.keys(affairSections[name].shape).map((field) => [field, stored[field] ?? null]))

/** The affair of a charter without its lists. */
const selectAffair = (db: Queryable, charter: string) =>
  db
    .selectFrom('charter_affair')
    .select((eb) => [
      '_id',
      'overview',
      'charter_terms',
      'charter_no_cds',
      'funding',
      'mou',
      'notice_website',
      'version',
      toIsoTimestamp(eb.ref('updatedAt')).as('updatedAt'),
      'updatedBy',
    ])
    .where('charter', '=', charter)

const selectMembers = (db: Queryable, charter: string) =>
  db
    .selectFrom('authorizer_board_member as m')
    .innerJoin('charter_affair as a', 'a._id', 'm.charter_affair')
    .select((m) => [
      'm._id',
      'm.authorizer',
      'm.board_member_name',
      'm.board_position',
      'm.board_term',
      'm.charter_voting_position',
      'm.charter_voting_notes',
      'm.version',
      toIsoTimestamp(m.ref('m.updatedAt')).as('updatedAt'),
      'm.updatedBy',
    ])
    .where('a.charter', '=', charter)

const selectDistricts = (db: Queryable, charter: string) =>
  db
    .selectFrom('center_district as d')
    .innerJoin('charter_affair as a', 'a._id', 'd.charter_affair')
    .select((d) => [
      'd._id',
      'd.corp',
      'd.center_name',
      'd.center_locations',
      'd.county',
      'd.area_sup',
      'd.high_school_district',
      'd.elementary_district',
      'd.out_of_county_center',
      'd.notes',
      'd.version',
      toIsoTimestamp(d.ref('d.updatedAt')).as('updatedAt'),
      'd.updatedBy',
    ])
    .where('a.charter', '=', charter)

type StoredAffair = Omit<CharterAffair, 'authorizer_board_member' | 'center_district'>
type AffairPart =
  | { readonly part: 'affair'; readonly json: StoredAffair }
  | { readonly part: 'member'; readonly json: AuthorizerBoardMember }
  | { readonly part: 'district'; readonly json: CenterDistrict }

const TABLES = ['charter_affair', 'authorizer_board_member', 'center_district'] as const

/**
 * The affair, its members and its districts at one moment, each as JSON of its own: one JSON of an affair with many long texts would block other
 * requests while it is parsed.
 */
const readParts = async (db: Queryable, charter: string, before?: Date): Promise<AffairPart[]> => {
  const past = before && TABLES.map((table) => sql`${sql.table(table)} as (${selectRowsBefore(table, before)})`)
  const { rows } = await sql<AffairPart>`
    ${past ? sql`with ${sql.join(past)}` : sql``}
    select part, json from (
      select 'affair' as part, null as name, _id, to_json(affair) as json from (${selectAffair(db, charter)}) as affair
      union all select 'member', board_member_name, _id, to_json(member) from (${selectMembers(db, charter)}) as member
      union all select 'district', center_name, _id, to_json(district) from (${selectDistricts(db, charter)}) as district
    ) as parts order by name collate "C", _id`.execute(db)
  return rows
}

/** A change of a member or district is a change of the affair, which the rows of its past do not show. */
const getUpdate = (model: ReadModel, affair: string): Partial<Pick<StoredAffair, 'updatedAt' | 'updatedBy'>> => {
  const { updatedAt, updatedBy } = model.table('charter_affair').need(affair)
  return { updatedAt: toMoment(updatedAt), ...(updatedBy === undefined ? {} : { updatedBy }) }
}

const readCharterWithAffair = async ({ db, readModel, before }: AppContext, _id: string): Promise<CharterWithAffair> => {
  const parts = await readParts(db, _id, before)
  const charter = await readRecord(readModel, 'charter', _id, toCharter)
  const affair = parts.find(({ part }) => part === 'affair')?.json as StoredAffair | undefined
  if (!affair) return { ...charter, charter_affair_info: [] }
  const sections = Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, toFullSection(name, affair[name])]))
  const { version, updatedAt, updatedBy, ...fields } = { ...affair, ...(before ? getUpdate(readModel, affair._id) : {}) }
  const info: CharterAffair = {
    ...fields,
    ...sections,
    authorizer_board_member: parts.flatMap((one) => (one.part === 'member' ? [one.json] : [])),
    center_district: parts.flatMap((one) => (one.part === 'district' ? [one.json] : [])),
    version,
    updatedAt,
    updatedBy,
  }
  return { ...charter, charter_affair_info: [info] }
}

const getSharedReads = memoize((_model: ReadModel) => new SharedReads<CharterWithAffair>())

/** A charter with its affair, if there is one, read once for all who ask at the same moment; throws 404 for an unknown charter. */
export const getCharterWithAffair = async (context: AppContext, idOrSlug: string): Promise<CharterWithAffair> => {
  const { readModel } = context
  const charter = await findModelId(readModel, 'charter', idOrSlug)
  return getSharedReads(readModel).read(charter, () => readCharterWithAffair(context, charter))
}
