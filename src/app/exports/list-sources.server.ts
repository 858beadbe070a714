import { listOrderingColumns } from '../../contract/column-filters.ts'
import { buildStatusGroupFilter, needsDetails } from '../../contract/lists.ts'
import { invalidFields } from '../../contract/problem.ts'
import type { SiteSummary } from '../../contract/references.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { toSiteSummary } from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import { BRAND_CHARTERS_LIST, BRAND_LIST } from '../../records/brands/list.ts'
import { toBrands, toCharterSummaries } from '../../records/brands/queries.server.ts'
import { buildCharterFilter, CHARTER_LIST } from '../../records/charters/list.ts'
import { toCharters } from '../../records/charters/queries.server.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'
import { loadSiteLocations } from '../../records/map/queries.server.ts'
import { createAreaFilter, filterLocatedSites, parseArea } from '../../records/map/rules.ts'
import type { RoleGroup } from '../../records/people/contract.ts'
import { STAFF_LIST, buildStaffFilter } from '../../records/people/list.ts'
import { getPeopleInOrder, toPerson, toRoles } from '../../records/people/queries.server.ts'
import { REGION_LIST, buildRegionFilter } from '../../records/regions/list.ts'
import { toRegions } from '../../records/regions/queries.server.ts'
import { FACILITY_TYPES } from '../../records/sites/fields.ts'
import { buildRegionSiteFilter, SITE_LIST, buildSiteFilter } from '../../records/sites/list.ts'
import { toSite } from '../../records/sites/queries.server.ts'
import type { ExportListSource } from './list-rows.server.ts'

type SourceCallback<R> = <T extends { readonly _id: string }>(source: ExportListSource<T>) => R
type Request<Name extends ListRequest['list']> = Extract<ListRequest, { list: Name }>

const OWNER_NAMES = { region: 'Region', charter: 'Charter', brand: 'Brand' } as const

/** Finds the record on whose page the list is. Throws 422 if it does not exist. */
const findOwner = <T extends 'region' | 'charter' | 'brand'>(model: ReadModel, table: T, of: string) => {
  const _id = model.findId(table, of)
  if (_id === undefined) throw invalidFields([{ path: 'of', message: `${OWNER_NAMES[table]} not found` }])
  return model.table(table).need(_id)
}

const assertKnown = (filter: string, isKnown: boolean): void => {
  if (!isKnown) throw invalidFields([{ path: `filters.${filter}`, message: 'Nothing with this name was found' }])
}
const findRegion = (model: ReadModel, slug: string) => [...model.table('region').all()].find((region) => region.slug === slug)
const validateRegion = (model: ReadModel, slug: string | undefined): void =>
  assertKnown('region', slug === undefined || findRegion(model, slug) !== undefined)
const validateType = (model: ReadModel, type: string | undefined): void =>
  assertKnown(
    'type',
    type === undefined ||
      FACILITY_TYPES.some((one) => one === type) ||
      [...model.table('site').all()].some(({ category }) => category === type),
  )

/** A filter by the shown part of the map; null for the whole map. */
const getMapFilter = async (model: ReadModel, areaText: string | undefined): Promise<((site: string) => boolean) | null> => {
  const area = parseArea(areaText)
  return area ? createAreaFilter(area, filterLocatedSites(await loadSiteLocations(model))) : null
}

/** Maps rows lazily. */
function* mapRows<I, O>(items: Iterable<I>, toRow: (item: I) => O): Generator<O> {
  for (const item of items) yield toRow(item)
}
/** The sites of a list, whole if one of its columns shows a detail. */
const listSites = (
  model: ReadModel,
  { columns = [], sort, group, filters: { where } }: Pick<ListRequest, 'columns' | 'sort' | 'group' | 'filters'>,
  sites: Iterable<ModelRow<'site'>>,
) => {
  const named = new Set<string>(columns)
  const used = [...SITE_LIST.columns.filter(({ key }) => named.has(key)), ...listOrderingColumns({ sort, group, where }, SITE_LIST.columns)]
  const toRow = needsDetails(used) ? toSite : toSiteSummary
  return mapRows(sites, (site): SiteSummary => toRow(model, site))
}

const withStaffSource = <R>(
  model: ReadModel,
  { title, group, filters }: { title: string; group?: RoleGroup; filters: Request<'support'>['filters'] },
  callback: SourceCallback<R>,
): R => {
  const { role, region } = filters
  validateRegion(model, region)
  assertKnown('role', role === undefined || toRoles(model, group).some(({ name }) => name === role))
  const regionId = region === undefined ? undefined : findRegion(model, region)?._id
  return callback({
    title,
    list: STAFF_LIST,
    rows: mapRows(getPeopleInOrder(model, group), (_id) => toPerson(model, model.table('person').need(_id), group)),
    matches: buildStaffFilter(filters, regionId === undefined ? null : (site) => model.table('site').get(site)?.region === regionId),
  })
}

/** Calls `callback` with the source of a list. Throws 422 for unknown records and filters. */
export const withListSource = async <R>(
  model: ReadModel,
  request: ListRequest,
  timeZone: string,
  callback: SourceCallback<R>,
): Promise<R> => {
  await model.ready()
  switch (request.list) {
    case 'sites': {
      validateType(model, request.filters.type)
      validateRegion(model, request.filters.region)
      return callback({
        title: 'Resource Centers',
        list: SITE_LIST,
        rows: listSites(model, request, model.table('site').all()),
        matches: buildSiteFilter(request.filters, timeZone),
      })
    }
    case 'region_sites': {
      const { type, area } = request.filters
      const { _id, name } = findOwner(model, 'region', request.of)
      validateType(model, type)
      const shows = await getMapFilter(model, area)
      const passes = buildRegionSiteFilter(request.filters)
      return callback({
        title: name,
        list: SITE_LIST,
        rows: listSites(model, request, model.table('site').where('region', _id)),
        matches: (site) => passes(site) && (shows === null || shows(site._id)),
      })
    }
    case 'charter_sites': {
      const { _id, name } = findOwner(model, 'charter', request.of)
      return callback({
        title: `Sites of ${name}`,
        list: SITE_LIST,
        rows: listSites(model, request, model.table('site').where('charter', _id)),
        matches: buildStatusGroupFilter(request.filters),
      })
    }
    case 'charters':
      return callback({ title: 'Charters', list: CHARTER_LIST, rows: toCharters(model), matches: buildCharterFilter(request.filters) })
    case 'brands':
      return callback({ title: 'Brands', list: BRAND_LIST, rows: toBrands(model), matches: buildStatusGroupFilter(request.filters) })
    case 'brand_charters': {
      const { _id, brandName: name } = findOwner(model, 'brand', request.of)
      return callback({
        title: `Charters of ${name}`,
        list: BRAND_CHARTERS_LIST,
        rows: toCharterSummaries(model, _id),
        matches: buildStatusGroupFilter(request.filters),
      })
    }
    case 'regions':
      return callback({
        title: 'Regions',
        list: REGION_LIST,
        rows: toRegions(model),
        matches: buildRegionFilter(await getMapFilter(model, request.filters.area)),
      })
    case 'staff':
      return withStaffSource(model, { title: 'All Staff', filters: request.filters }, callback)
    case 'leadership':
      return withStaffSource(model, { title: 'Leadership', group: 'LEADERSHIP', filters: request.filters }, callback)
    case 'support':
      return withStaffSource(model, { title: 'Student Support', group: 'STUDENT_SUPPORT', filters: request.filters }, callback)
  }
}
