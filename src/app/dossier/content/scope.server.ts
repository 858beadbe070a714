import { sql } from 'kysely'

import { toIsoDay } from '../../../contract/dates.ts'
import { invalidFields } from '../../../contract/problem.ts'
import { selectRowsBefore } from '../../../database/past-rows.server.ts'
import { findCompleteChange } from '../../../features/finding/activity/queries.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { sortByTexts } from '../../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'

/** What a dossier is about. */
export interface DossierRequest {
  readonly charter: string
  readonly on: string
  readonly from: string
  readonly to: string
}

/** The records and the period of a dossier. */
export interface DossierScope {
  readonly present: AppContext
  /** The context of the day; the present one for today. */
  readonly past: AppContext
  readonly on: string
  readonly from: string
  readonly to: string
  readonly charter: ModelRow<'charter'>
  /** The sites of the charter on the day. */
  readonly sites: readonly ModelRow<'site'>[]
  /** The keys of all records whose changes belong to it: also of sites, affairs and deadlines that were part of the charter in the period. */
  readonly records: readonly string[]
  /** Their names on the day. */
  readonly names: ReadonlyMap<string, string>
  readonly period: { readonly from: Date; readonly to: Date; readonly upTo: number }
  /** The last change that the state contains. */
  readonly change: number
}

/** The beginning of the first day of the period, and the end of its last. */
const readPeriod = async ({ db, configuration: { timeZone } }: AppContext, { from, to }: DossierRequest) => {
  const { rows } = await sql<{ from: Date; to: Date }>`
    select ${from}::date::timestamp at time zone ${timeZone} as from, (${to}::date + 1)::timestamp at time zone ${timeZone} as to`.execute(
    db,
  )
  return rows[0] ?? { from: new Date(from), to: new Date(to) }
}

/** Records of a table that belonged to the charter, on the day or before or after a change in the period. */
const findFormer = async (
  { db }: AppContext,
  table: 'site' | 'charter_affair' | 'deadline',
  owners: readonly string[],
  { from, to }: DossierScope['period'],
): Promise<string[]> => {
  const { rows } = await sql<{ record: string }>`
    select distinct record from change
    where "table" = ${table} and at >= ${from} and at < ${to} and (
      before ->> 'charter' = any(${[...owners]}::text[]) or after ->> 'charter' = any(${[...owners]}::text[])
      or (${table} = 'deadline' and (before ->> 'site' = any(${[...owners]}::text[]) or after ->> 'site' = any(${[...owners]}::text[]))))`.execute(
    db,
  )
  return rows.map(({ record }) => record)
}

const findLastChange = async (context: AppContext): Promise<number> => {
  if (!context.before) return findCompleteChange(context)
  const { rows } = await sql<{ last: number | null }>`
    select _id::float8 as last from change where at < ${context.before} order by at desc, _id desc limit 1`.execute(context.db)
  return rows[0]?.last ?? 0
}

/** Finds what a dossier contains. Throws 422 for a day on which the charter did not exist. */
export const readScope = async (present: AppContext, request: DossierRequest): Promise<DossierScope> => {
  const { on, from, to } = request
  const past = await present.asOf(on)
  const { readModel } = past
  await readModel.ready()
  const change = await findLastChange(past)
  const charter = readModel.table('charter').get(request.charter)
  if (!charter) throw invalidFields([{ path: 'on', message: 'The charter did not exist on this day' }])
  const sites = sortByTexts(
    readModel.table('site').where('charter', charter._id),
    ({ displayName }) => displayName,
    ({ _id }) => _id,
  )
  const period = { ...(await readPeriod(present, request)), upTo: await findCompleteChange(present) }
  const affairs = readModel.table('charter_affair').where('charter', charter._id)
  const owners = [charter._id, ...sites.map(({ _id }) => _id), ...(await findFormer(present, 'site', [charter._id], period))]
  const { rows: deadlines } = await sql<{ _id: string }>`
    select _id from ${past.before ? sql`(${selectRowsBefore('deadline', past.before)})` : sql`deadline`} as t
    where t.charter = ${charter._id} or t.site = any(${owners}::text[])`.execute(present.db)
  const records = new Set([
    ...owners,
    ...[...affairs, ...deadlines].map(({ _id }) => _id),
    ...(await findFormer(present, 'charter_affair', [charter._id], period)),
    ...(await findFormer(present, 'deadline', owners, period)),
  ])
  const names = new Map([
    ...[charter, ...affairs].map(({ _id }) => [_id, charter.name] as const),
    ...sites.map(({ _id, displayName }) => [_id, displayName] as const),
  ])
  return { present, past, on, from, to, charter, sites, records: [...records], names, period, change }
}

/** Whether the state is that of the moment, because the day is not over. */
export const isToday = ({ configuration: { timeZone }, now }: AppContext, on: string): boolean => on === toIsoDay(now(), timeZone)
