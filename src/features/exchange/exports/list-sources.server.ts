import { type Compilable, sql } from 'kysely'

import { invalidFields, Problem } from '../../../contract/problem.ts'
import { isInStatusGroup, type StatusGroup, type Status } from '../../../contract/status.ts'
import { inByteOrder } from '../../../database/byte-order.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { selectCharterSummaries } from '../../../database/references.server.ts'
import { loadSiteLocations } from '../../record-tools/map/queries.server.ts'
import { createAreaFilter, filterLocatedSites, parseArea } from '../../record-tools/map/rules.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../../records/brands/list.ts'
import { selectBrandList } from '../../records/brands/queries.server.ts'
import { CHARTER_LIST } from '../../records/charters/list.ts'
import { selectCharterList } from '../../records/charters/queries.server.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'
import type { RoleGroup } from '../../records/people/contract.ts'
import { STAFF_LIST, buildStaffFilter } from '../../records/people/list.ts'
import { selectPersonList } from '../../records/people/queries.server.ts'
import { REGION_LIST, buildRegionFilter } from '../../records/regions/list.ts'
import { selectRegionList } from '../../records/regions/queries.server.ts'
import { FACILITY_TYPES } from '../../records/sites/fields.ts'
import { buildRegionSiteFilter, SITE_LIST, buildSiteFilter } from '../../records/sites/list.ts'
import { selectSiteSummaryList } from '../../records/sites/queries.server.ts'
import type { ListSource } from './list-rows.server.ts'

type SourceCallback<R> = <T>(source: ListSource<T>) => R
type Request<Name extends ListRequest['list']> = Extract<ListRequest, { list: Name }>

const hasStatusIn =
  (group: StatusGroup = 'all') =>
  ({ status }: { status: Status }): boolean =>
    isInStatusGroup(group, status)

/** Finds the record whose page the list is on. Throws 422 where it does not exist. */
const findOwner = async (db: Queryable, table: 'region' | 'charter' | 'brand', of: string): Promise<{ _id: string; name: string }> => {
  try {
    const _id = await findRecordId(db, table, of)
    const name = sql.ref(table === 'brand' ? 'brand.brandName' : `${table}.name`)
    const { rows } = await sql<{ name: string }>`select ${name} as name from ${sql.table(table)} where _id = ${_id}`.execute(db)
    return { _id, name: rows[0]?.name ?? '' }
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error
    throw invalidFields([{ path: 'of', message: error.message }])
  }
}

const assertExists = async (db: Queryable, filter: string, known: Compilable): Promise<void> => {
  const { rows } = await sql<{ known: boolean }>`select exists (${known}) as known`.execute(db)
  if (!rows[0]?.known) throw invalidFields([{ path: `filters.${filter}`, message: 'Nothing of this name is known' }])
}
const validateRegion = async (db: Queryable, slug: string | undefined): Promise<void> => {
  if (slug !== undefined) await assertExists(db, 'region', db.selectFrom('region').select('_id').where('slug', '=', slug))
}
const validateType = async (db: Queryable, type: string | undefined): Promise<void> => {
  if (type === undefined || FACILITY_TYPES.some((one) => one === type)) return
  await assertExists(db, 'type', db.selectFrom('site').select('_id').where('category', '=', type))
}

/** A filter by the shown part of the map; null for the whole map. */
const getMapFilter = async (db: Queryable, areaText: string | undefined): Promise<((site: string) => boolean) | null> => {
  const area = parseArea(areaText)
  return area ? createAreaFilter(area, filterLocatedSites(await loadSiteLocations(db))) : null
}

const withStaffSource = async <R>(
  db: Queryable,
  { title, group, filters: { role, region } }: { title: string; group: RoleGroup; filters: Request<'support'>['filters'] },
  callback: SourceCallback<R>,
): Promise<R> => {
  await validateRegion(db, region)
  if (role !== undefined)
    await assertExists(db, 'role', db.selectFrom('role').select('_id').where('name', '=', role).where('group', '=', group))
  const inRegion =
    region === undefined
      ? null
      : new Set(
          (
            await db
              .selectFrom('site')
              .innerJoin('region', 'region._id', 'site.region')
              .select('site._id')
              .where('region.slug', '=', region)
              .execute()
          ).map(({ _id }) => _id),
        )
  return callback({
    title,
    list: STAFF_LIST,
    rows: selectPersonList(db, group),
    matches: buildStaffFilter(role, inRegion && ((site) => inRegion.has(site))),
  })
}

/** Calls `callback` with the source of a list. Throws 422 for unknown records and filters. */
export const withListSource = async <R>(db: Queryable, request: ListRequest, timeZone: string, callback: SourceCallback<R>): Promise<R> => {
  switch (request.list) {
    case 'sites': {
      await validateType(db, request.filters.type)
      await validateRegion(db, request.filters.region)
      return callback({
        title: 'Resource Centers',
        list: SITE_LIST,
        rows: selectSiteSummaryList(db),
        matches: buildSiteFilter(request.filters, timeZone),
      })
    }
    case 'region_sites': {
      const { status = 'all', type, area } = request.filters
      const { _id, name } = await findOwner(db, 'region', request.of)
      await validateType(db, type)
      const shows = await getMapFilter(db, area)
      const passes = buildRegionSiteFilter({ status, type })
      return callback({
        title: name,
        list: SITE_LIST,
        rows: selectSiteSummaryList(db).where('site.region', '=', _id),
        matches: (site) => passes(site) && (shows === null || shows(site._id)),
      })
    }
    case 'charter_sites': {
      const { _id, name } = await findOwner(db, 'charter', request.of)
      return callback({
        title: `Sites of ${name}`,
        list: SITE_LIST,
        rows: selectSiteSummaryList(db).where('site.charter', '=', _id),
        matches: hasStatusIn(request.filters.status),
      })
    }
    case 'charters':
      return callback({ title: 'Charters', list: CHARTER_LIST, rows: selectCharterList(db), matches: hasStatusIn(request.filters.status) })
    case 'brands':
      return callback({ title: 'Brands', list: BRAND_LIST, rows: selectBrandList(db), matches: hasStatusIn(request.filters.status) })
    case 'brand_charters': {
      const { _id, name } = await findOwner(db, 'brand', request.of)
      return callback({
        title: `Charters of ${name}`,
        list: BRAND_CHARTERS_LIST,
        rows: selectCharterSummaries(db).where('charter.brand', '=', _id).orderBy('charter.name', inByteOrder).orderBy('charter._id'),
        matches: hasStatusIn(request.filters.status),
      })
    }
    case 'regions':
      return callback({
        title: 'Regions',
        list: REGION_LIST,
        rows: selectRegionList(db),
        matches: buildRegionFilter(await getMapFilter(db, request.filters.area)),
      })
    case 'leadership':
      return withStaffSource(db, { title: 'Leadership', group: 'LEADERSHIP', filters: request.filters }, callback)
    case 'support':
      return withStaffSource(db, { title: 'Student Support', group: 'STUDENT_SUPPORT', filters: request.filters }, callback)
  }
}
