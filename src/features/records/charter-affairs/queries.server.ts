import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'

import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { readRecord } from '../../../platform/server/read-model/read-record.ts'
import { toCharter } from '../charters/queries.server.ts'
import { affairSections, type CharterAffair, type CharterWithAffair, AFFAIR_SECTIONS } from './contract.ts'
import { type AffairSection } from './fields.ts'

/** A stored section with exactly the fields of the contract, empty ones as null. */
const toFullSection = (name: AffairSection, stored: Record<string, string | null>): Record<string, string | null> =>
  Object.fromEntries(Object.keys(affairSections[name].shape).map((field) => [field, stored[field] ?? null]))

const selectAffairs = (db: Queryable) =>
  db.selectFrom('charter_affair').select((eb) => [
    'charter_affair._id',
    'charter_affair.overview',
    'charter_affair.charter_terms',
    'charter_affair.charter_no_cds',
    'charter_affair.funding',
    'charter_affair.mou',
    'charter_affair.notice_website',
    jsonArrayFrom(
      db
        .selectFrom('authorizer_board_member as m')
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
        .where(sql<boolean>`m.charter_affair = charter_affair._id`)
        .orderBy('m.board_member_name', inByteOrder)
        .orderBy('m._id'),
    ).as('authorizer_board_member'),
    jsonArrayFrom(
      db
        .selectFrom('center_district as d')
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
        .where(sql<boolean>`d.charter_affair = charter_affair._id`)
        .orderBy('d.center_name', inByteOrder)
        .orderBy('d._id'),
    ).as('center_district'),
    'charter_affair.version',
    toIsoTimestamp(eb.ref('charter_affair.updatedAt')).as('updatedAt'),
    'charter_affair.updatedBy',
  ])

/** A charter with its affair, if there is one; throws 404 for an unknown charter. */
export const getCharterWithAffair = async ({ db, readModel }: AppContext, idOrSlug: string): Promise<CharterWithAffair> => {
  const charter = await readRecord(readModel, 'charter', idOrSlug, toCharter)
  const affair = await readJsonRow(db, selectAffairs(db).where('charter_affair.charter', '=', charter._id))
  if (!affair) return { ...charter, charter_affair_info: [] }
  const sections = Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, toFullSection(name, affair[name])]))
  return { ...charter, charter_affair_info: [{ ...affair, ...sections } as CharterAffair] }
}
