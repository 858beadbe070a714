import type { ListColumn, RecordList } from '../../contract/lists.ts'
import { isActive } from '../../contract/status.ts'
import { MapArea } from '../map/contract.ts'
import type { Region } from './contract.ts'

export const countActiveSites = ({ sites }: Region): number => sites.filter(({ status }) => isActive(status)).length

const columns = [
  { key: 'name', label: 'Region', text: ({ name }) => name },
  { key: 'active', label: 'Active sites', text: countActiveSites, isNumber: true },
  { key: 'closed', label: 'Closed sites', text: (region) => region.sites.length - countActiveSites(region), isNumber: true },
] as const satisfies readonly ListColumn<Region>[]

/** Regions, by name. */
export const REGION_LIST = {
  columns,
  getSearchTexts: ({ name }) => [name],
  getRank: () => 0,
  getName: ({ name }) => name,
} as const satisfies RecordList<Region>

export const REGION_FILTERS = { area: MapArea }

/** Filters regions by whether one of their sites is in the map area; null without a map area. */
export const buildRegionFilter =
  (isInArea: ((siteId: string) => boolean) | null) =>
  ({ sites }: Region): boolean =>
    isInArea === null || sites.some(({ _id }) => isInArea(_id))
