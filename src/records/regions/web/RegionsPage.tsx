import { IconMap2, IconMapPin } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { RecordCard } from '../../../platform/web/list/RecordCard.tsx'
import { MapSwitch, ListWithMap } from '../../map/web/public/SitesMapCard.tsx'
import { useMapArea, useUnlocatedText } from '../../map/web/queries.ts'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { useListed } from '../../pages/web/public/use-listed.ts'
import { type ListedKind, useRecordList } from '../../pages/web/public/use-record-list.ts'
import { listRegions, type Region } from '../contract.ts'
import { buildRegionFilter, countActiveSites, REGION_LIST } from '../list.ts'
import { toAreaFilter } from './map-area-filter.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from '../../../platform/web/list/Card.module.css'

/** The id of the list, for the map beside it. */
const LIST_ID = 'regions'

const listSites = (regions: readonly Region[]) => regions.flatMap(({ sites }) => sites)
const getRegionPath = ({ slug }: Region): string => getRecordPath({ kind: 'region', slug })

const REGIONS: ListedKind<Region> = {
  kind: 'region',
  list: REGION_LIST,
  getPath: getRegionPath,
  formatSummary: (regions) => `${formatCount(regions.length, 'region')} with ${formatCount(listSites(regions).length, 'site')}`,
  searchLabel: 'Search by region name',
  card: {
    minWidthRem: 16,
    gap: [16, 12],
    getHeight: (_width, rem) => 6.5 * rem,
    renderCard: (region) => {
      const active = countActiveSites(region)
      return (
        <RecordCard
          mark={
            <span className={`${layoutClasses.centered} ${classes.tile}`}>
              <IconMapPin size={20} stroke={1.75} aria-hidden />
            </span>
          }
          name={region.name}
          to={getRegionPath(region)}
          lines={[
            formatCount(active, ['active site', 'active sites']),
            formatCount(region.sites.length - active, ['closed site', 'closed sites']),
          ]}
        />
      )
    },
  },
  icon: IconMap2,
  emptyTitle: 'No regions to display',
}

/** `/regions`: the regions, each with its numbers of active and closed sites. */
export const RegionsPage = () => {
  const map = useMapArea()
  const { area, shows, pendingQuery } = map
  const list = useRecordList(REGIONS, {
    query: useListed(listRegions),
    name: 'regions',
    hasArchived: true,
    filters: { area: toAreaFilter(map) },
    // A region is in the map area if one of its sites is.
    buildFilter: useCallback(() => buildRegionFilter(area ? shows : null), [area, shows]),
    toRequest: (filters) => ({ list: 'regions', filters }),
  })
  const { records, found, shown } = list
  const foundSites = useMemo(() => listSites(found), [found])
  const shownSites = useMemo(() => foundSites.filter(({ _id }) => shows(_id)), [foundSites, shows])
  const unplaced = useUnlocatedText(map, shownSites)
  const counts = useMemo(
    () => shown.map(({ slug, name, sites }) => ({ slug, name, count: sites.filter(({ _id }) => shows(_id)).length })),
    [shown, shows],
  )
  const sites = useMemo(() => listSites(records).length, [records])
  return (
    <RecordListView
      list={list}
      title="Regions & States"
      label="Regions"
      tools={<MapSwitch />}
      more={shownSites.length === sites && unplaced === '' ? '' : `, with ${formatCount(shownSites.length, 'site')}${unplaced}`}
      isCounting={pendingQuery !== undefined}
      renderAround={(cards, skeleton) => (
        <ListWithMap
          list={LIST_ID}
          label="Map of the sites"
          map={map}
          shown={shownSites}
          found={foundSites}
          whole={null}
          regions={counts}
          named
          skeleton={skeleton}
        >
          {cards}
        </ListWithMap>
      )}
    />
  )
}
