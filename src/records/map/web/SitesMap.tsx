import { type Icon, IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { type Area, formatArea, getAreaAround, getCenter, isMinArea, type Point, zoomArea } from '../rules.ts'
import { type Box, findCaptionedMarks, getMarkBox, placeLabel } from './labels.ts'
import { Caption, MapMarkButton, RegionLabel } from './MapMarkButton.tsx'
import { buildMarks, findLargestMark, type MapRegion, type MapSite, type Mark } from './marks.ts'
import type { LocatedSite } from './queries.ts'
import { areaView, buildLand, countryView, type Shape, type View } from './view.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SitesMap.module.css'

interface MapLandProps {
  view: View
  land: readonly Shape[]
  /** The names of the states drawn darker, one per line. */
  ours: string
  canOpen: boolean
  onRegion: (name: string) => void
}

/** The states, those of the network darker. Hidden from screen readers, because links lead to the same pages. */
const MapLand = memo(({ view: { width, height, box }, land, ours, canOpen, onRegion }: MapLandProps) => {
  const names = new Set(ours.split('\n'))
  return (
    <svg className={layoutClasses.stretched} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <path
        d={land
          .filter(({ name }) => !names.has(name))
          .map(({ path }) => path)
          .join('')}
        className={classes.state}
      />
      {land
        .filter(({ name }) => names.has(name))
        .map(({ name, path }) => (
          <path key={name} d={path} className={classes.state} data-ours data-opens={canOpen || undefined} onClick={() => onRegion(name)} />
        ))}
      {box ? (
        <path
          className={classes.fill}
          fillRule="evenodd"
          d={`M-1 -1H${width + 1}V${height + 1}H-1ZM${box.left} ${box.top}H${box.right}V${box.bottom}H${box.left}Z`}
        />
      ) : null}
    </svg>
  )
})
MapLand.displayName = 'MapLand'

interface MapToolsProps {
  canZoomIn: boolean
  canZoomOut: boolean
  onZoomIn: () => void
  onZoomOut: () => void
  onWhole: () => void
  onPoint: (name: string | null) => void
}

/** Zoom buttons. A button without effect stays focusable, so that the focus is not lost. */
const MapTools = ({ canZoomIn, canZoomOut, onZoomIn, onZoomOut, onWhole, onPoint }: MapToolsProps) => {
  const tools: readonly [label: string, key: string, icon: Icon, can: boolean, does: () => void][] = [
    ['Zoom in', '+', IconPlus, canZoomIn, onZoomIn],
    ['Zoom out', '-', IconMinus, canZoomOut, onZoomOut],
    ['Show whole map', '0', IconZoomReset, canZoomOut, onWhole],
  ]
  return (
    <div className={`${layoutClasses.flex} ${layoutClasses.gap6} ${classes.tools}`} role="group" aria-label="Zoom">
      {tools.map(([label, key, ToolIcon, can, does]) => (
        <button
          key={label}
          type="button"
          className={`${layoutClasses.hoverable} ${layoutClasses.centered} ${layoutClasses.outlined} ${classes.tool}`}
          aria-label={label}
          aria-disabled={!can}
          onClick={() => {
            if (can) does()
          }}
          onPointerEnter={() => onPoint(`${label} (key ${key})`)}
          onPointerLeave={() => onPoint(null)}
        >
          <ToolIcon size={18} stroke={1.75} aria-hidden />
        </button>
      ))}
    </div>
  )
}

export interface SitesMapProps {
  /** The accessible name of the map. */
  label: string
  /** The sites of the list. */
  shown: readonly MapSite[]
  /** The sites that the whole map shows; null if it shows the country. */
  whole: readonly MapSite[] | null
  regions: readonly MapRegion[]
  /** Whether their names are shown on the map as links. */
  named: boolean
  located: ReadonlyMap<string, LocatedSite>
  near: ReadonlyMap<string, string | null>
  area: Area | undefined
  onArea: (area: Area | undefined) => void
  /** Moves the focus to the list, for sites that zooming cannot separate. */
  onList: () => void
  width: number
  height: number
  /** Reports the name under the pointer or focus. */
  onPoint: (name: string | null) => void
}

/** On a narrower map the names of states would cover it; the cards below show them too. */
const MIN_WIDTH_FOR_NAMES = 400
/** A larger area is shown as the whole country. */
const COUNTRY_WIDTH_DEGREES = 40

const findNearest = (from: Mark, marks: readonly Mark[], down: 1 | -1): Mark | undefined => {
  const way = (mark: Mark) => Math.abs(mark.y - from.y) + 2 * Math.abs(mark.x - from.x)
  return marks.filter((mark) => (mark.y - from.y) * down > 1).toSorted((a, b) => way(a) - way(b))[0]
}

/** The map: states as shapes, sites as links and buttons over them. Loaded on demand. */
export const SitesMap = memo((props: SitesMapProps) => {
  const { label, shown, whole, regions, named, located, near, area, onArea, onList, width, height, onPoint } = props
  const navigate = useNavigate()
  const shape = width / height
  const frame = useRef<HTMLDivElement>(null)
  /** The key of the area whose rendering restores the focus; null for none. */
  const returns = useRef<string | null>(null)
  const [at, setAt] = useState<string | null>(null)

  const base = useMemo(() => whole && getAreaAround(getPoints(whole, located), shape), [whole, located, shape])
  const drawn = area ?? base ?? null
  const view = useMemo(() => (drawn ? areaView(drawn, width, height) : countryView(width, height)), [drawn, width, height])
  const spots = useMemo(() => new Map([...located].map(([site, point]) => [site, view.project(point)])), [located, view])
  const marks = useMemo(
    () =>
      buildMarks(
        shown.flatMap((site) => {
          const [point, spot] = [located.get(site._id), spots.get(site._id)]
          return point && spot ? [{ site, point, near: near.get(site._id) ?? null, x: spot[0], y: spot[1] }] : []
        }),
      ),
    [shown, located, spots, near],
  )
  const land = useMemo(() => buildLand(view), [view])
  const labels = useMemo(
    () => (named && !area && width >= MIN_WIDTH_FOR_NAMES ? buildLabels(regions, land, marks, width, height) : []),
    [named, area, regions, land, marks, width, height],
  )
  const captions = useMemo(
    () =>
      findCaptionedMarks(
        marks,
        labels.map(({ box }) => box),
        width,
        height,
      ),
    [marks, labels, width, height],
  )

  const keys = [...labels.map(({ region }) => region.slug), ...marks.map(({ key }) => key)]
  const active = at !== null && keys.includes(at) ? at : (findLargestMark(marks)?.key ?? keys[0])
  const go = (key: string | undefined) => {
    if (key === undefined) return
    setAt(key)
    frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus()
  }
  // No event is fired when the element under the pointer or focus is removed.
  useEffect(() => onPoint(null), [marks, onPoint])
  // The pressed element disappears when the map is rendered again: the focus moves to the largest mark.
  useEffect(() => {
    const wanted = returns.current
    returns.current = null
    if (wanted !== toAreaKey(area)) return
    const first = findLargestMark(marks)?.key
    setAt(first ?? null)
    if (first) frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(first)}"]`)?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- only when another area is rendered, not when the list is filtered
  }, [view])

  // Regions are named after states; the page of a region is found by that name.
  const slugs = useRef(regions)
  useEffect(() => {
    slugs.current = regions
  }, [regions])
  const openRegion = useCallback(
    (name: string) => {
      const region = named ? slugs.current.find((one) => one.name === name) : undefined
      if (region) void navigate({ to: '/region/$id', params: { id: region.slug } })
    },
    [named, navigate],
  )

  const show = (next: Area | undefined, refocus: boolean) => {
    returns.current = refocus ? toAreaKey(next) : null
    onArea(next)
  }
  const focused = () => frame.current?.contains(document.activeElement) ?? false
  const into = () => {
    const mark = marks.find(({ key }) => key === active) ?? findLargestMark(marks)
    const aim = mark && getAreaAround(getMarkPoints([mark]), shape)
    const now = drawn ?? getAreaAround(getMarkPoints(marks), shape)
    if (now && aim && !isMinArea(now)) show(zoomArea(now, 1 / 2, getCenter(aim), shape), focused())
  }
  const out = () => {
    if (!area) return
    const wider = zoomArea(area, 2, getCenter(area), shape)
    const all = base ? base.east - base.west : COUNTRY_WIDTH_DEGREES
    show(wider.east - wider.west >= all ? undefined : wider, focused())
  }
  const press = (mark: Mark) => {
    const next = getAreaAround(getMarkPoints([mark]), shape)
    if (!next) return
    if (drawn && next.east - next.west > (drawn.east - drawn.west) * 0.95) onList()
    else show(next, true)
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = active === undefined ? -1 : keys.indexOf(active)
    const mark = marks.find(({ key }) => key === active)
    const moves: Record<string, () => void> = {
      ArrowRight: () => go(keys[index + 1]),
      ArrowLeft: () => go(keys[index - 1]),
      ArrowDown: () => go(mark ? findNearest(mark, marks, 1)?.key : keys[index + 1]),
      ArrowUp: () => go(mark ? findNearest(mark, marks, -1)?.key : keys[index - 1]),
      Home: () => go(keys[0]),
      End: () => go(keys.at(-1)),
      '+': into,
      '=': into,
      '-': out,
      '0': () => {
        if (area) show(undefined, focused())
      },
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a group with a single tab stop that arrow keys move */}
      <div
        ref={frame}
        role="group"
        aria-label={label}
        aria-describedby="map-keys"
        className={`${layoutClasses.clipped} ${classes.marks}`}
        onKeyDown={onKeyDown}
      >
        <MapLand view={view} land={land} ours={regions.map(({ name }) => name).join('\n')} canOpen={named} onRegion={openRegion} />
        {marks.map((mark) => (drawn && captions.has(mark.key) ? <Caption key={mark.key} mark={mark} /> : null))}
        {labels.map(({ region, box }) => (
          <RegionLabel key={region.slug} region={region} box={box} isStop={active === region.slug} onReach={setAt} onPoint={onPoint} />
        ))}
        {marks.map((mark) => (
          <MapMarkButton key={mark.key} mark={mark} isStop={active === mark.key} onReach={setAt} onPoint={onPoint} onPress={press} />
        ))}
        <p id="map-keys" hidden>
          Use the arrow keys to move between sites. Enter opens a site or zooms in on a group. Plus, minus and zero zoom.
        </p>
      </div>
      <MapTools
        canZoomIn={marks.length > 0 && !(drawn && isMinArea(drawn))}
        canZoomOut={area !== undefined}
        onZoomIn={into}
        onZoomOut={out}
        onWhole={() => show(undefined, false)}
        onPoint={onPoint}
      />
    </>
  )
})
SitesMap.displayName = 'SitesMap'

const toAreaKey = (area: Area | undefined): string => (area ? formatArea(area) : '')

const getPoints = (sites: readonly MapSite[], located: ReadonlyMap<string, LocatedSite>): Point[] =>
  sites.map(({ _id }) => located.get(_id)).filter((point) => point !== undefined)

const getMarkPoints = (marks: readonly Mark[]): Point[] => marks.flatMap(({ pins }) => pins.map(({ point }) => point))

const buildLabels = (
  regions: readonly MapRegion[],
  shapes: readonly { readonly name: string; readonly box: Box }[],
  marks: readonly Mark[],
  width: number,
  height: number,
): { region: MapRegion; box: Box }[] => {
  const occupiedBoxes = marks.map(getMarkBox)
  return regions.flatMap((region) => {
    const state = shapes.find(({ name }) => name === region.name)
    if (!state) return []
    const box = placeLabel(state.box, `${region.name} ${region.count.toLocaleString('en-US')}`, occupiedBoxes, width, height)
    occupiedBoxes.push(box)
    return [{ region, box }]
  })
}
