import { Button, Skeleton } from '@mantine/core'
import { IconCheck, IconClock, IconMap2, IconMapOff, IconX } from '@tabler/icons-react'
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { sayFailure } from '../../../../platform/web/failures.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useStore } from '../../../../platform/web/store.ts'
import { isMapShown, setMapShown } from './map-visibility.ts'
import type { MapSite } from './marks.ts'
import type { MapRegion } from './marks.ts'
import type { MapArea } from './queries.ts'
import { useSitesMap } from './useSitesMap.ts'
import { useSize } from './useSize.ts'

import chips from '../../../../platform/web/list/Filters.module.css'
import classes from './SitesMapCard.module.css'

/** So many sites without a place are named; the others are counted. */
const MAX_NAMED_SITES = 20

interface SitesMapCardProps {
  /** The name of the map: 'Map of the sites in Ohio'. */
  label: string
  map: MapArea
  /** Just the sites that the list beside it shows. */
  shown: readonly MapSite[]
  /** The sites all other filters let through, whether they lie in the area or not. */
  found: readonly MapSite[]
  /** All sites the whole map is of; null where that is the country. */
  whole: readonly MapSite[] | null
  regions: readonly MapRegion[]
  /** The regions' names stand on the map and lead to their pages. */
  named?: boolean
  /** The id of the list, where the map leads when zooming parts nothing any more. */
  list: string
}

const sites = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'site' : 'sites'}`

/** The map beside a list of sites. It has its height from the beginning, and the list never waits for it. */
export const SitesMapCard = memo(({ label, map, shown, found, whole, regions, named = false, list }: SitesMapCardProps) => {
  const { places, located, area, setArea } = map
  const drawing = useSitesMap()
  const frame = useRef<HTMLDivElement>(null)
  const [width, height] = useSize(frame)
  const [pointed, setPointed] = useState<string | null>(null)
  // Typing in the list's search field goes first; the map follows.
  const drawn = useDeferredValue(useMemo(() => ({ shown, area }), [shown, area]))
  const near = useMemo(() => new Map(places.data?.map((place) => [place.site, place.near])), [places.data])

  const toList = useCallback(() => document.getElementById(list)?.focus(), [list])

  const Drawing = drawing.component
  const failure = drawing.failed ? 'The map could not be loaded.' : places.error && !places.data ? sayFailure(places.error) : null
  const content = () => {
    if (failure !== null)
      return (
        <div className={classes.failed} role="alert">
          <p>{failure}</p>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              drawing.retry()
              if (places.error) void places.refetch()
            }}
          >
            Retry
          </Button>
        </div>
      )
    if (!Drawing || !places.data || width === 0 || height === 0) return <Skeleton className={classes.waiting} aria-hidden />
    return (
      <Drawing
        label={label}
        shown={drawn.shown}
        whole={whole}
        regions={regions}
        named={named}
        located={located}
        near={near}
        area={drawn.area}
        onArea={setArea}
        onList={toList}
        width={width}
        height={height}
        onPoint={setPointed}
      />
    )
  }

  return (
    <section aria-label="Map" className={classes.card} data-print="no">
      <div ref={frame} className={classes.frame} data-wide={whole === null || undefined}>
        {content()}
      </div>
      <p className={classes.line} aria-hidden>
        {pointed ?? <Legend />}
      </p>
      {places.data ? <Notes map={map} shown={drawn.shown} found={found} /> : null}
    </section>
  )
})
SitesMapCard.displayName = 'SitesMapCard'

const Legend = () => (
  <span className={classes.legend}>
    <span>
      <span className={classes.sign} data-look="open" /> Active
    </span>
    <span>
      <span className={classes.sign} data-look="soon">
        <IconClock size={11} stroke={2.25} />
      </span>
      Coming soon
    </span>
    <span>
      <span className={classes.sign} data-look="closed">
        <IconX size={11} stroke={2.5} />
      </span>
      Closed
    </span>
  </span>
)

/** In words what the map cannot show, so that nothing is missing without being said. */
const Notes = memo(({ map: { located, area }, shown, found }: { map: MapArea; shown: readonly MapSite[]; found: readonly MapSite[] }) => {
  const unlocated = useMemo(() => found.filter(({ _id }) => !located.has(_id)), [found, located])
  const approximateCount = useMemo(() => shown.filter(({ _id }) => (located.get(_id)?.from ?? 'site') !== 'site').length, [shown, located])
  return (
    <>
      {unlocated.length > 0 ? (
        <details className={classes.lost}>
          <summary>
            {sites(unlocated.length)} {unlocated.length === 1 ? 'has' : 'have'} no location on the map
            {area ? `, and ${unlocated.length === 1 ? 'is' : 'are'} not in this area` : ''}
          </summary>
          <ul>
            {unlocated.slice(0, MAX_NAMED_SITES).map(({ _id, slug, displayName }) => (
              <li key={_id}>
                <TextLink to="/location/$slug" params={{ slug }}>
                  {displayName}
                </TextLink>
              </li>
            ))}
          </ul>
          {unlocated.length > MAX_NAMED_SITES ? <p>and {(unlocated.length - MAX_NAMED_SITES).toLocaleString('en-US')} more</p> : null}
        </details>
      ) : null}
      {approximateCount > 0 ? (
        <p className={classes.note}>
          {sites(approximateCount)} {approximateCount === 1 ? 'is' : 'are'} placed by ZIP code or city.
        </p>
      ) : null}
    </>
  )
})
Notes.displayName = 'Notes'

/** Shows and hides the map of a list; what is chosen is remembered. */
export const MapSwitch = () => {
  const isShown = useStore(isMapShown)
  const MarkIcon = isShown ? IconMapOff : IconMap2
  return (
    <button type="button" className={chips.chip} onClick={() => setMapShown(!isShown)}>
      <MarkIcon size={16} stroke={1.75} aria-hidden />
      {isShown ? 'Hide map' : 'Show map'}
    </button>
  )
}

/** The map area among the other filters of a list, while it is one; pressing it takes it off. */
export const MapAreaChip = ({ map: { area, setArea } }: { map: MapArea }) =>
  area ? (
    <button type="button" className={chips.chip} aria-pressed onClick={() => setArea(undefined)}>
      <IconCheck size={16} stroke={2} aria-hidden />
      Map area
    </button>
  ) : null

interface WithMapProps {
  map: MapArea
  card: ReactNode
  /** The list's id, to be told to the map as well. */
  list: string
  /** Stands for the list while it is not known which sites lie in the area of the address. */
  skeleton: ReactNode
  children: ReactNode
}

/** A list with its map at the right, on narrower screens above it; the list alone where the map is hidden. */
export const WithMap = ({ map: { pendingQuery }, card, list, skeleton, children }: WithMapProps) => {
  const isShown = useStore(isMapShown)
  return (
    <div className={classes.columns} data-map={isShown || undefined}>
      {isShown ? <div className={classes.map}>{card}</div> : null}
      <div id={list} tabIndex={-1} className={classes.list}>
        {pendingQuery ? (
          <LoadedList query={pendingQuery} skeleton={skeleton}>
            {() => null}
          </LoadedList>
        ) : (
          children
        )}
      </div>
    </div>
  )
}
