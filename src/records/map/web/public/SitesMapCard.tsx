import { Button, Skeleton } from '@mantine/core'
import { IconCheck, IconClock, IconMap2, IconMapOff, IconX } from '@tabler/icons-react'
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useStore } from '../../../../platform/web/store.ts'
import { isMapShown, setMapShown } from '../map-visibility.ts'
import type { MapSite } from '../marks.ts'
import type { MapAreaFilter } from '../queries.ts'
import type { SitesMapProps } from '../SitesMap.tsx'
import { useSitesMap } from '../use-sites-map.ts'
import { useSize } from './use-size.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import chips from '../../../../platform/web/list/Filters.module.css'
import classes from './SitesMapCard.module.css'

/** Sites without a location that are listed by name; the others are counted. */
const MAX_NAMED_SITES = 20

interface SitesMapCardProps extends Pick<SitesMapProps, 'label' | 'shown' | 'whole' | 'regions'> {
  map: MapAreaFilter
  /** The sites that match all other filters, inside the area or not. */
  found: readonly MapSite[]
  /** Whether the names of regions are shown on the map as links. */
  named?: boolean
  /** The id of the list, which gets the focus when zooming cannot separate sites. */
  list: string
}

/** The map next to a list of sites. Its height is fixed, and the list does not wait for it. */
export const SitesMapCard = memo(({ map, shown, found, named = false, list, ...drawn }: SitesMapCardProps) => {
  const { locations, located, area, setArea } = map
  const drawing = useSitesMap()
  const frame = useRef<HTMLDivElement>(null)
  const [width, height] = useSize(frame)
  const [pointed, setPointed] = useState<string | null>(null)
  // Typing in the list's search field has priority; the map follows.
  const deferred = useDeferredValue(useMemo(() => ({ shown, area }), [shown, area]))
  const near = useMemo(() => new Map(locations.data?.map((location) => [location.site, location.near])), [locations.data])

  const toList = useCallback(() => document.getElementById(list)?.focus(), [list])

  const Drawing = drawing.component
  const failure = drawing.failed
    ? 'The map could not be loaded.'
    : locations.error && !locations.data
      ? errorMessage(locations.error)
      : null
  const content = () => {
    if (failure !== null)
      return (
        <div className={`${layoutClasses.row} ${textClasses.dimmed} ${textClasses.centeredText} ${classes.failed}`} role="alert">
          <p>{failure}</p>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              drawing.retry()
              if (locations.error) void locations.refetch()
            }}
          >
            Retry
          </Button>
        </div>
      )
    if (!Drawing || !locations.data || width === 0 || height === 0) return <Skeleton className={classes.waiting} aria-hidden />
    return (
      <Drawing
        {...drawn}
        {...deferred}
        named={named}
        located={located}
        near={near}
        onArea={setArea}
        onList={toList}
        width={width}
        height={height}
        onPoint={setPointed}
      />
    )
  }

  return (
    <section aria-label="Map" className={layoutClasses.shrinkable} data-print="no">
      <div
        ref={frame}
        className={`${layoutClasses.card} ${layoutClasses.positioned} ${classes.frame}`}
        data-wide={drawn.whole === null || undefined}
      >
        {content()}
      </div>
      <p className={`${textClasses.caption} ${layoutClasses.clipped} ${classes.line}`} aria-hidden>
        {pointed ?? <Legend />}
      </p>
      {locations.data ? <Notes map={map} shown={deferred.shown} found={found} /> : null}
    </section>
  )
})
SitesMapCard.displayName = 'SitesMapCard'

const Legend = () => (
  <span className={`${layoutClasses.inlineRow} ${classes.legend}`}>
    <span>
      <span className={`${layoutClasses.centered} ${classes.legendMark}`} data-variant="open" /> Active
    </span>
    <span>
      <span className={`${layoutClasses.centered} ${classes.legendMark}`} data-variant="soon">
        <IconClock size={11} stroke={2.25} />
      </span>
      Coming soon
    </span>
    <span>
      <span className={`${layoutClasses.centered} ${classes.legendMark}`} data-variant="closed">
        <IconX size={11} stroke={2.5} />
      </span>
      Closed
    </span>
  </span>
)

/** Notes on sites that the map cannot show or shows approximately. */
const Notes = memo(
  ({ map: { located, area }, shown, found }: { map: MapAreaFilter; shown: readonly MapSite[]; found: readonly MapSite[] }) => {
    const unlocated = useMemo(() => found.filter(({ _id }) => !located.has(_id)), [found, located])
    const approximateCount = useMemo(
      () => shown.filter(({ _id }) => (located.get(_id)?.from ?? 'site') !== 'site').length,
      [shown, located],
    )
    return (
      <>
        {unlocated.length > 0 ? (
          <details className={`${textClasses.caption} ${classes.unlocated}`}>
            <summary>
              {formatCount(unlocated.length, 'site')} {unlocated.length === 1 ? 'has' : 'have'} no location on the map
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
          <p className={`${textClasses.caption} ${classes.note}`}>
            {formatCount(approximateCount, 'site')} {approximateCount === 1 ? 'is' : 'are'} placed by ZIP code or city.
          </p>
        ) : null}
      </>
    )
  },
)
Notes.displayName = 'Notes'

/** Shows or hides the map of a list, and stores the choice. */
export const MapSwitch = () => {
  const isShown = useStore(isMapShown)
  const MarkIcon = isShown ? IconMapOff : IconMap2
  return (
    <button
      type="button"
      className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${chips.chip}`}
      onClick={() => setMapShown(!isShown)}
    >
      <MarkIcon size={16} stroke={1.75} aria-hidden />
      {isShown ? 'Hide map' : 'Show map'}
    </button>
  )
}

/** The map area as a filter chip, which removes it. */
export const MapAreaChip = ({ map: { area, setArea } }: { map: MapAreaFilter }) =>
  area ? (
    <button
      type="button"
      className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${chips.chip}`}
      aria-pressed
      onClick={() => setArea(undefined)}
    >
      <IconCheck size={16} stroke={2} aria-hidden />
      Map area
    </button>
  ) : null

interface ListWithMapProps extends SitesMapCardProps {
  /** Shown until it is known which sites are in the area. */
  skeleton: ReactNode
  children: ReactNode
}

/** A list with its map at the right, or above it on narrower screens. */
export const ListWithMap = ({ skeleton, children, ...card }: ListWithMapProps) => {
  const isShown = useStore(isMapShown)
  const { list, map } = card
  return (
    <div className={`${layoutClasses.grid} ${classes.columns}`} data-map={isShown || undefined}>
      {isShown ? (
        <div className={`${layoutClasses.shrinkable} ${classes.map}`}>
          <SitesMapCard {...card} />
        </div>
      ) : null}
      <div id={list} tabIndex={-1} className={`${layoutClasses.shrinkable} ${classes.list}`}>
        {map.pendingQuery ? (
          <LoadedList query={map.pendingQuery} skeleton={skeleton}>
            {() => null}
          </LoadedList>
        ) : (
          children
        )}
      </div>
    </div>
  )
}
