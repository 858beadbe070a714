import { expect, test } from 'vitest'

import { FACILITY_TYPES } from '../../../records/sites/fields.ts'
import { getDrawing } from './drawing.ts'

const ids = Array.from({ length: 500 }, (_, n) => (n * 7919 + 104_729).toString(16).padStart(24, '0'))
const scenesOf = (type: string | null) => new Set(ids.map((id) => getDrawing(type, id).scene))

test('a record always has the same drawing', () => {
  for (const id of ids) expect(getDrawing('Online', id)).toEqual(getDrawing('Online', id))
})

test('each facility type except the usual one has its own drawing', () => {
  const own = FACILITY_TYPES.filter((type) => type !== 'Resource Center')
  const scenes = own.map((type) => [...scenesOf(type)])
  expect(scenes.every((drawn) => drawn.length === 1)).toBe(true)
  expect(new Set(scenes.flat()).size).toBe(own.length)
  expect(scenes.flat().filter((scene) => scenesOf('Resource Center').has(scene))).toEqual([])
  expect(scenesOf('Administration Office')).toEqual(scenesOf('Administrative Office'))
})

test('an unknown or missing type is drawn as a school', () => {
  for (const type of [null, '', 'Gymnasium', 'constructor']) expect(scenesOf(type)).toEqual(scenesOf('Resource Center'))
})

test('a page of records of one type has varied drawings: at most half have the same building in the same color', () => {
  for (let from = 0; from + 12 <= ids.length; from += 12) {
    const looks = ids.slice(from, from + 12).map((id) => JSON.stringify(getDrawing('Resource Center', id)))
    expect(new Set(looks).size).toBeGreaterThan(6)
  }
  for (const key of ['hue', 'grove', 'isMirrored', 'scene'] as const) {
    const counts = Object.values(Object.groupBy(ids, (id) => String(getDrawing(null, id)[key]))).map((of) => of?.length ?? 0)
    expect(Math.min(...counts), key).toBeGreaterThan(ids.length / counts.length / 2)
  }
})
