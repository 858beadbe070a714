import { geoAlbersUsa, geoMercator, geoPath } from 'd3-geo'
import type { ExtendedFeature, ExtendedFeatureCollection, GeoGeometryObjects, GeoProjection } from 'd3-geo'
import { feature } from 'topojson-client'
import file from 'us-atlas/states-10m.json' with { type: 'json' }

import { type Area, getMercatorHeight, type Point } from '../rules.ts'
import type { Box } from './labels.ts'

type State = ExtendedFeature<GeoGeometryObjects, { readonly name: string }>
type Atlas = Parameters<typeof feature>[0]
const atlas = file as unknown as Atlas & { readonly objects: { readonly states: Atlas['objects'][string] } }
const states = feature(atlas, atlas.objects.states) as unknown as ExtendedFeatureCollection<State>

/** The projection of coordinates to the screen. */
export interface View {
  readonly width: number
  readonly height: number
  readonly project: (point: Point) => readonly [number, number] | null
  readonly projection: GeoProjection
  /** The box of the shown area, if any; the rest of the frame is dimmed. */
  readonly box: Box | null
}

/** The whole country, with Alaska and Hawaii in a corner. */
export const countryView = (width: number, height: number): View => {
  const projection = geoAlbersUsa().fitExtent(
    [
      [6, 6],
      [width - 6, height - 6],
    ],
    states,
  )
  return { width, height, projection, box: null, project: ({ longitude, latitude }) => projection([longitude, latitude]) }
}

/** An area in the Mercator projection, where its sides are parallel to the screen, so that the view shows exactly the area. */
export const areaView = ({ west, south, east, north }: Area, width: number, height: number): View => {
  const [top, bottom] = [getMercatorHeight(north), getMercatorHeight(south)]
  const scale = Math.min(width / (east - west), height / (top - bottom))
  const left = (width - (east - west) * scale) / 2
  const above = (height - (top - bottom) * scale) / 2
  const projection = geoMercator()
    .scale((scale * 180) / Math.PI)
    .translate([left - west * scale, above + top * scale])
    .clipExtent([
      [-4, -4],
      [width + 4, height + 4],
    ])
  return {
    width,
    height,
    projection,
    box: { left, top: above, right: width - left, bottom: height - above },
    project: ({ longitude, latitude }) => [left + (longitude - west) * scale, above + (top - getMercatorHeight(latitude)) * scale],
  }
}

export interface Shape {
  readonly name: string
  readonly path: string
  readonly box: Box
}

/** The paths of all states in the view. */
export const buildLand = ({ projection }: View): Shape[] => {
  const draw = geoPath(projection).digits(1)
  return states.features.flatMap((state): Shape[] => {
    const path = draw(state)
    if (!path) return []
    const [[left, top], [right, bottom]] = draw.bounds(state)
    return [{ name: state.properties.name, path, box: { left, top, right, bottom } }]
  })
}
