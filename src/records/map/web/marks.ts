import { isClosed, isPending, STATUS_LABELS } from '../../../contract/status.ts'
import type { Status } from '../../../contract/status.ts'
import type { Point } from '../rules.ts'
import { clusterPoints } from './clusters.ts'

/** A site with the fields that the map needs. */
export interface MapSite {
  readonly _id: string
  readonly slug: string
  readonly displayName: string
  readonly status: Status
}
/** A region whose state is drawn darker, with the number of its visible sites. */
export interface MapRegion {
  readonly slug: string
  readonly name: string
  readonly count: number
}
/** A site with its location, its nearest city and its position on the screen. */
export interface MapPin {
  readonly site: MapSite
  readonly point: Point & { readonly from: 'site' | 'zip' | 'city' }
  readonly near: string | null
  readonly x: number
  readonly y: number
}
/** One marker of the map: a site, or a cluster of sites. */
export interface Mark {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly pins: readonly MapPin[]
  /** Its accessible name. */
  readonly name: string
  /** The city shown below it if there is space; null if unknown. */
  readonly caption: string | null
  readonly variant: 'open' | 'soon' | 'closed'
}

/** The minimum distance of marks in pixels: the width of a thumb. */
const MIN_MARK_DISTANCE = 46

const getVariant = (status: Status) => (isClosed(status) ? 'closed' : isPending(status) ? 'soon' : 'open')

/** Open if one site is; otherwise coming soon if one is, otherwise closed. */
const getGroupVariant = (pins: readonly MapPin[]): Mark['variant'] => {
  const variants = new Set(pins.map(({ site }) => getVariant(site.status)))
  return variants.has('open') ? 'open' : variants.has('soon') ? 'soon' : 'closed'
}

/** The city of the site nearest to the center. */
const getNearestCity = (pins: readonly MapPin[], x: number, y: number): string | null => {
  let [near, least]: [string | null, number] = [null, Infinity]
  for (const pin of pins) {
    const distance = Math.hypot(pin.x - x, pin.y - y)
    if (pin.near !== null && distance < least) [near, least] = [pin.near, distance]
  }
  return near
}

const lists = new Intl.ListFormat('en-US')
/** The location of a cluster: its city, or its states if there are several. */
const formatLocation = (pins: readonly MapPin[], near: string | null): string => {
  const states = new Set(pins.map((pin) => /, ([A-Z]{2})$/.exec(pin.near ?? '')?.[1]).filter((state) => state !== undefined))
  if (states.size > 3) return ` in ${states.size} states`
  if (states.size > 1) return ` in ${lists.format([...states].toSorted())}`
  return near ? ` near ${near}` : ''
}

/** Suffix for locations that are not the site's own. */
const PRECISION_TEXTS = { site: '', zip: ', placed by ZIP code', city: ', placed by city' }

const formatPin = ({ site, point, near }: MapPin): string =>
  `${[site.displayName, near, site.status === 'ACTIVE' ? null : STATUS_LABELS[site.status]].filter(Boolean).join(', ')}${PRECISION_TEXTS[point.from]}`

const formatCluster = (pins: readonly MapPin[], near: string | null): string => {
  const closed = pins.filter(({ site }) => isClosed(site.status)).length
  const which = closed === 0 ? '' : closed === pins.length ? ', all closed' : `, ${closed.toLocaleString('en-US')} of them closed`
  return `${pins.length.toLocaleString('en-US')} sites${formatLocation(pins, near)}${which}`
}

/** The marks of the map, from west to east. */
export const buildMarks = (pins: readonly MapPin[]): Mark[] =>
  clusterPoints(
    pins.map((pin) => ({ x: pin.x, y: pin.y, of: pin })),
    MIN_MARK_DISTANCE,
  )
    .map(({ x, y, members }): Mark => {
      const near = getNearestCity(members, x, y)
      const [only] = members
      return {
        key: only?.site._id ?? '',
        x,
        y,
        pins: members,
        name: members.length === 1 && only ? formatPin(only) : formatCluster(members, near),
        caption: near?.split(',')[0] ?? null,
        variant: getGroupVariant(members),
      }
    })
    .toSorted((a, b) => a.x - b.x || a.y - b.y)

/** The diameter of a mark in pixels. */
export const getMarkSize = ({ pins }: Pick<Mark, 'pins'>): number =>
  pins.length === 1 ? 24 : pins.length < 10 ? 28 : pins.length < 100 ? 34 : pins.length < 1000 ? 40 : 46

/** The mark with most sites, where keyboard focus starts and zooming in leads. */
export const findLargestMark = (marks: readonly Mark[]): Mark | undefined =>
  marks.reduce<Mark | undefined>((most, mark) => (most && most.pins.length >= mark.pins.length ? most : mark), undefined)
