/** A part of the map, in degrees; its sides run along the meridians and parallels, as those of the map that is zoomed into do. */
export interface Area {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}
/** Degrees north and east. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Nothing is shown larger than so many degrees of longitude across: two kilometres, about. */
const LEAST = 0.02
/** Room around the outermost sites. */
const MARGIN = 0.14
/** 110 metres: near enough for a map, short enough for an address. */
const DECIMALS = 1000

const degrees = 180 / Math.PI
/** Mercator's height of a latitude, in degrees of longitude at the equator. */
export const heightOf = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + latitude / degrees / 2)) * degrees
const latitudeOf = (height: number): number => (2 * Math.atan(Math.exp(height / degrees)) - Math.PI / 2) * degrees

/** `?area=w,s,e,n` as it was written by `writeArea` or by hand; undefined for anything else. */
export const readArea = (text: string | undefined): Area | undefined => {
  const parts = text?.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))) ?? []
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = parts
  const isOne = parts.length === 4 && west < east && south < north && west >= -180 && east <= 180 && south >= -85 && north <= 85
  return isOne ? { west, south, east, north } : undefined
}

export const writeArea = ({ west, south, east, north }: Area): string => [west, south, east, north].join(',')

export const isWithin = ({ west, south, east, north }: Area, { latitude, longitude }: Point): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

/** What the map of the country has room for: the states without their territories. */
const COUNTRY: readonly Area[] = [
  { west: -125.5, south: 24, east: -66, north: 50 },
  { west: -180, south: 51, east: -129, north: 72 },
  { west: -161, south: 18.5, east: -154, north: 22.5 },
]
export const isInCountry = (point: Point): boolean => COUNTRY.some((area) => isWithin(area, point))

/** The places that the map has room for, by site. */
export const locatedSites = <P extends { readonly site: string; readonly latitude: number | null; readonly longitude: number | null }>(
  places: readonly P[],
): Map<string, P & Point> =>
  new Map(places.flatMap((place) => (isLocated(place) && isInCountry(place) ? [[place.site, place] as const] : [])))
const isLocated = <P extends { readonly latitude: number | null; readonly longitude: number | null }>(place: P): place is P & Point =>
  place.latitude !== null && place.longitude !== null

/** Whether a part of the map shows a site; the whole map shows all, those without a place too. */
export const isShownIn =
  (area: Area | undefined, located: ReadonlyMap<string, Point>) =>
  (site: string): boolean => {
    const place = located.get(site)
    return area === undefined || (place !== undefined && isWithin(area, place))
  }

/** An area in the plane of Mercator's map, brought to a shape (width by height) by growing, then rounded outwards. */
const shaped = (west: number, low: number, east: number, high: number, shape: number): Area => {
  const width = Math.max(east - west, (high - low) * shape, LEAST)
  const height = width / shape
  const [x, y] = [(west + east) / 2, (low + high) / 2]
  const down = (value: number) => Math.floor(value * DECIMALS) / DECIMALS
  const up = (value: number) => Math.ceil(value * DECIMALS) / DECIMALS
  return {
    west: Math.max(-180, down(x - width / 2)),
    south: Math.max(-85, down(latitudeOf(y - height / 2))),
    east: Math.min(180, up(x + width / 2)),
    north: Math.min(85, up(latitudeOf(y + height / 2))),
  }
}

/** The smallest area of a shape that shows all of these points with some room around them; undefined for none. */
export const areaAround = (points: readonly Point[], shape: number): Area | undefined => {
  if (points.length === 0) return undefined
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { latitude, longitude } of points) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const [low, high] = [heightOf(south), heightOf(north)]
  const room = Math.max(east - west, (high - low) * shape) * MARGIN
  return shaped(west - room, low - room / shape, east + room, high + room / shape, shape)
}

/** The area `times` as large around a point: under 1 for zooming in. */
export const zoomed = ({ west, south, east, north }: Area, times: number, around: Point, shape: number): Area => {
  const width = (east - west) * times
  const height = (heightOf(north) - heightOf(south)) * times
  const [x, y] = [around.longitude, heightOf(around.latitude)]
  return shaped(x - width / 2, y - height / 2, x + width / 2, y + height / 2, shape)
}

export const middleOf = ({ west, south, east, north }: Area): Point => ({
  longitude: (west + east) / 2,
  latitude: latitudeOf((heightOf(south) + heightOf(north)) / 2),
})

/** It cannot be zoomed into any further. */
export const isSmallest = ({ west, east }: Area): boolean => east - west < LEAST * 1.5
