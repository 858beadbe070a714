import { formatArea } from '../../../features/record-tools/map/rules.ts'
import { MapAreaChip } from '../../../features/record-tools/map/web/public/SitesMapCard.tsx'
import type { MapAreaFilter } from '../../../features/record-tools/map/web/queries.ts'
import type { ListFilter } from '../../../platform/web/list/list-filter.ts'

/** The map area as a filter of the list beside the map (`?area=`). */
export const toAreaFilter = (map: MapAreaFilter): ListFilter => ({
  value: map.area && formatArea(map.area),
  control: <MapAreaChip map={map} />,
  condition: map.area ? 'in this area of the map' : undefined,
})
