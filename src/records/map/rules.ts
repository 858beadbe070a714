/** A part of the map, in degrees. */
export interface Area {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}
/** In degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** The smallest width of an area in degrees of longitude: about two kilometers. */
const MIN_WIDTH_DEGREES = 0.02
/** Margin around the outermost sites, as a share of the width. */
const MARGIN = 0.14
/** Three decimals, about 110 meters, keep the URL short. */
const DECIMALS = 1000

const degrees = 180 / Math.PI
/** The Mercator y coordinate of a latitude, in degrees of longitude at the equator. */
export const getMercatorHeight = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + latitude / degrees / 2)) * degrees
const getLatitude = (height: number): number => (2 * Math.atan(Math.exp(height / degrees)) - Math.PI / 2) * degrees

/** Parses `?area=w,s,e,n`; undefined for anything invalid. */
export const parseArea = (text: string | undefined): Area | undefined => {
  const parts = text?.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))) ?? []
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = parts
  const isOne = parts.length === 4 && west < east && south < north && west >= -180 && east <= 180 && south >= -85 && north <= 85
  return isOne ? { west, south, east, north } : undefined
}

export const formatArea = ({ west, south, east, north }: Area): string => [west, south, east, north].join(',')

export const isWithin = ({ west, south, east, north }: Area, { latitude, longitude }: Point): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

/** The areas that the map of the country shows: the states without territories. */
const COUNTRY_AREAS: readonly Area[] = [
  { west: -125.5, south: 24, east: -66, north: 50 },
  { west: -180, south: 51, east: -129, north: 72 },
  { west: -161, south: 18.5, east: -154, north: 22.5 },
]
export const isInCountry = (point: Point): boolean => COUNTRY_AREAS.some((area) => isWithin(area, point))

/** The locations that the map can show, by site. */
export const filterLocatedSites = <
  P extends { readonly site: string; readonly latitude: number | null; readonly longitude: number | null },
>(
  locations: readonly P[],
): Map<string, P & Point> =>
  new Map(locations.flatMap((location) => (isLocated(location) && isInCountry(location) ? [[location.site, location] as const] : [])))
const isLocated = <P extends { readonly latitude: number | null; readonly longitude: number | null }>(location: P): location is P & Point =>
  location.latitude !== null && location.longitude !== null

/** A filter of sites by area; without an area it accepts all sites, including those without a location. */
export const createAreaFilter =
  (area: Area | undefined, located: ReadonlyMap<string, Point>) =>
  (site: string): boolean => {
    const location = located.get(site)
    return area === undefined || (location !== undefined && isWithin(area, location))
  }

/** Extends an area to an aspect ratio in the Mercator projection, rounded outwards. */
const fitShape = (west: number, low: number, east: number, high: number, shape: number): Area => {
  const width = Math.max(east - west, (high - low) * shape, MIN_WIDTH_DEGREES)
  const height = width / shape
  const [x, y] = [(west + east) / 2, (low + high) / 2]
  const down = (value: number) => Math.floor(value * DECIMALS) / DECIMALS
  const up = (value: number) => Math.ceil(value * DECIMALS) / DECIMALS
  return {
    west: Math.max(-180, down(x - width / 2)),
    south: Math.max(-85, down(getLatitude(y - height / 2))),
    east: Math.min(180, up(x + width / 2)),
    north: Math.min(85, up(getLatitude(y + height / 2))),
  }
}

/** The smallest area with this aspect ratio that contains all points and a margin; undefined for no points. */
export const getAreaAround = (points: readonly Point[], shape: number): Area | undefined => {
  if (points.length === 0) return undefined
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { latitude, longitude } of points) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const [low, high] = [getMercatorHeight(south), getMercatorHeight(north)]
  const room = Math.max(east - west, (high - low) * shape) * MARGIN
  return fitShape(west - room, low - room / shape, east + room, high + room / shape, shape)
}

/** The area scaled by `times` around a point; below 1 zooms in. */
export const zoomArea = ({ west, south, east, north }: Area, times: number, around: Point, shape: number): Area => {
  const width = (east - west) * times
  const height = (getMercatorHeight(north) - getMercatorHeight(south)) * times
  const [x, y] = [around.longitude, getMercatorHeight(around.latitude)]
  return fitShape(x - width / 2, y - height / 2, x + width / 2, y + height / 2, shape)
}

export const getCenter = ({ west, south, east, north }: Area): Point => ({
  longitude: (west + east) / 2,
  latitude: getLatitude((getMercatorHeight(south) + getMercatorHeight(north)) / 2),
})

/** Whether the area cannot be zoomed in further. */
export const isMinArea = ({ west, east }: Area): boolean => east - west < MIN_WIDTH_DEGREES * 1.5
