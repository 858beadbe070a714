import type { ListFilter } from '../../../platform/web/list/list-filter.ts'
import { formatArea } from '../../map/rules.ts'
import { MapAreaChip } from '../../map/web/public/SitesMapCard.tsx'
import type { MapAreaFilter } from '../../map/web/queries.ts'

/** The map area as a filter of the list beside the map (`?area=`). */
export const toAreaFilter = (map: MapAreaFilter): ListFilter => ({
  value: map.area && formatArea(map.area),
  control: <MapAreaChip map={map} />,
  condition: map.area ? 'in this area of the map' : undefined,
})
