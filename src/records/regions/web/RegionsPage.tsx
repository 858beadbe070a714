import { IconMap2, IconMapPin } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { formatArea } from '../../../features/record-tools/map/rules.ts'
import { MapAreaChip, MapSwitch, SitesMapCard, ListWithMap } from '../../../features/record-tools/map/web/public/SitesMapCard.tsx'
import { useMapArea, useUnlocatedText } from '../../../features/record-tools/map/web/queries.ts'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { DownloadLine } from '../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import type { Region } from '../contract.ts'
import { countActiveSites, REGION_LIST, buildRegionFilter } from '../list.ts'
import { useRegions } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from '../../../platform/web/list/Card.module.css'

/** The id of the list, for the map beside it. */
const LIST_ID = 'regions'
const NO_REGIONS: readonly Region[] = []
const { getSearchTexts } = REGION_LIST
const getCardHeight = (_width: number, rem: number) => 6.5 * rem
const formatSiteCount = (count: number, which = ''): string => `${count.toLocaleString('en-US')} ${which}${count === 1 ? 'site' : 'sites'}`

const RegionCard = ({ region }: { region: Region }) => {
  const active = countActiveSites(region)
  return (
    <article className={`${layoutClasses.card} ${classes.card} ${classes.row}`}>
      <span className={classes.tile}>
        <IconMapPin size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={layoutClasses.fillingColumn}>
        <Link to="/region/$id" params={{ id: region.slug }} className={classes.name}>
          <span>{region.name}</span>
        </Link>
        <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>{formatSiteCount(active, 'active ')}</p>
        <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>
          {formatSiteCount(region.sites.length - active, 'closed ')}
        </p>
      </div>
    </article>
  )
}

/** `/regions`: the regions, each with its numbers of active and closed sites. */
export const RegionsPage = () => {
  const query = useRegions()
  const [, change] = useSearchParams()
  const typed = useListSearch()
  const regions = useMemo(() => sortByDefault(REGION_LIST, query.data ?? NO_REGIONS), [query.data])
  const map = useMapArea()
  const { area, shows } = map
  const found = useMatchingRecords(regions, getSearchTexts, typed.deferredText)
  // A region is in the map area if one of its sites is.
  const shown = useMemo(() => found.filter(buildRegionFilter(area ? shows : null)), [found, area, shows])
  const foundSites = useMemo(() => found.flatMap((region) => region.sites), [found])
  const shownSites = useMemo(() => foundSites.filter(({ _id }) => shows(_id)), [foundSites, shows])
  const unplaced = useUnlocatedText(map, shownSites)
  const counts = useMemo(
    () => shown.map(({ slug, name, sites }) => ({ slug, name, count: sites.filter(({ _id }) => shows(_id)).length })),
    [shown, shows],
  )
  const download = useListDownload({ list: 'regions', filters: { area: area && formatArea(area) }, search: typed.deferredText })
  const sites = useMemo(() => regions.reduce((sum, region) => sum + region.sites.length, 0), [regions])

  return (
    <>
      <ListHead
        title="Regions & States"
        summary={query.data && `${regions.length} ${regions.length === 1 ? 'region' : 'regions'} with ${formatSiteCount(sites)}`}
        failed={query.isError}
        aside={<ViewMenu />}
      />
      <Filters>
        <SearchField label="Search by region name" typed={typed} />
        <MapAreaChip map={map} />
        <MapSwitch />
      </Filters>
      <DownloadLine isEmpty={shown.length === 0} onDownload={download}>
        <MatchCount
          matching={query.data && !map.pendingQuery ? shown.length : undefined}
          all={query.data?.length}
          more={shownSites.length === sites && unplaced === '' ? '' : `, with ${formatSiteCount(shownSites.length)}${unplaced}`}
        />
      </DownloadLine>
      <LoadedList query={query} skeleton={<CardSkeleton least={16} />}>
        {() => (
          <ListWithMap
            list={LIST_ID}
            map={map}
            skeleton={<CardSkeleton least={16} />}
            card={
              <SitesMapCard
                label="Map of the sites"
                map={map}
                shown={shownSites}
                found={foundSites}
                whole={null}
                regions={counts}
                named
                list={LIST_ID}
              />
            }
          >
            {shown.length > 0 ? (
              <CardGrid
                label="Regions"
                records={shown}
                getKey={(region) => region._id}
                minWidthRem={16}
                gap={[16, 12]}
                getHeight={getCardHeight}
              >
                {(region) => <RegionCard region={region} />}
              </CardGrid>
            ) : (
              <NothingMatches
                icon={IconMap2}
                title="No regions to display"
                noun={RECORD_NOUNS.region}
                all={regions.length}
                typed={typed.deferredText.trim()}
                filters={[area ? 'in this area of the map' : null]}
                hidden={found.map(({ name, slug }) => ({ name, to: getRecordPath({ kind: 'region', slug }) }))}
                onClearSearch={() => change({ q: undefined, area: undefined })}
                onClearFilter={() => change({ area: undefined })}
              />
            )}
          </ListWithMap>
        )}
      </LoadedList>
    </>
  )
}
