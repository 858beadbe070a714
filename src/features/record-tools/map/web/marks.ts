import { isClosed, isPending, STATUS_LABELS } from '../../../../platform/contract/status.ts'
import type { Status } from '../../../../platform/contract/status.ts'
import type { Point } from '../rules.ts'
import { clustersOf } from './clusters.ts'

/** A site as the map needs it. */
export interface MapSite {
  readonly _id: string
  readonly slug: string
  readonly displayName: string
  readonly status: Status
}
/** A region whose state is drawn darker, with how many of its sites are shown. */
export interface MapRegion {
  readonly slug: string
  readonly name: string
  readonly count: number
}
/** A site with where it lies: on the ground, in words, and on the screen. */
export interface Pin {
  readonly site: MapSite
  readonly place: Point & { readonly from: 'site' | 'zip' | 'city' }
  readonly near: string | null
  readonly x: number
  readonly y: number
}
/** One thing on the map that can be reached and pressed: a site, or several that would lie on top of each other. */
export interface Mark {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly pins: readonly Pin[]
  /** What it is called. */
  readonly name: string
  /** City written below it, where there is room; null where there is none. */
  readonly caption: string | null
  readonly look: 'open' | 'soon' | 'closed'
}

/** Two marks are never nearer than a thumb is wide. */
const APART = 46

const lookOf = (status: Status) => (isClosed(status) ? 'closed' : isPending(status) ? 'soon' : 'open')

/** Closed or coming soon where all are; open where one is. */
const lookOfAll = (pins: readonly Pin[]): Mark['look'] => {
  const looks = new Set(pins.map(({ site }) => lookOf(site.status)))
  return looks.has('open') ? 'open' : looks.has('soon') ? 'soon' : 'closed'
}

/** The city of the one that lies nearest their middle. */
const nearOf = (pins: readonly Pin[], x: number, y: number): string | null => {
  let [near, least]: [string | null, number] = [null, Infinity]
  for (const pin of pins) {
    const away = Math.hypot(pin.x - x, pin.y - y)
    if (pin.near !== null && away < least) [near, least] = [pin.near, away]
  }
  return near
}

const lists = new Intl.ListFormat('en-US')
/** Where several lie, in words: the city they are near to, or their states where these are two or more. */
const whereOf = (pins: readonly Pin[], near: string | null): string => {
  const states = new Set(pins.map((pin) => /, ([A-Z]{2})$/.exec(pin.near ?? '')?.[1]).filter((state) => state !== undefined))
  if (states.size > 3) return ` in ${states.size} states`
  if (states.size > 1) return ` in ${lists.format([...states].toSorted())}`
  return near ? ` near ${near}` : ''
}

/** How exactly it is known, where the site itself does not say. */
const exactness = { site: '', zip: ', placed by ZIP code', city: ', placed by city' }

const nameOfPin = ({ site, place, near }: Pin): string =>
  `${[site.displayName, near, site.status === 'ACTIVE' ? null : STATUS_LABELS[site.status]].filter(Boolean).join(', ')}${exactness[place.from]}`

const nameOfCluster = (pins: readonly Pin[], near: string | null): string => {
  const closed = pins.filter(({ site }) => isClosed(site.status)).length
  const which = closed === 0 ? '' : closed === pins.length ? ', all closed' : `, ${closed.toLocaleString('en-US')} of them closed`
  return `${pins.length.toLocaleString('en-US')} sites${whereOf(pins, near)}${which}`
}

/** What the map shows of these sites, from west to east. */
export const marksOf = (pins: readonly Pin[]): Mark[] =>
  clustersOf(
    pins.map((pin) => ({ x: pin.x, y: pin.y, of: pin })),
    APART,
  )
    .map(({ x, y, members }): Mark => {
      const near = nearOf(members, x, y)
      const [only] = members
      return {
        key: only?.site._id ?? '',
        x,
        y,
        pins: members,
        name: members.length === 1 && only ? nameOfPin(only) : nameOfCluster(members, near),
        caption: near?.split(',')[0] ?? null,
        look: lookOfAll(members),
      }
    })
    .toSorted((a, b) => a.x - b.x || a.y - b.y)

/** How wide a mark is drawn. */
export const sizeOf = ({ pins }: Pick<Mark, 'pins'>): number =>
  pins.length === 1 ? 24 : pins.length < 10 ? 28 : pins.length < 100 ? 34 : pins.length < 1000 ? 40 : 46

/** The largest, where keys begin and zooming in leads. */
export const largestOf = (marks: readonly Mark[]): Mark | undefined =>
  marks.reduce<Mark | undefined>((most, mark) => (most && most.pins.length >= mark.pins.length ? most : mark), undefined)
