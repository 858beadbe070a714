import { describe, expect, test } from 'vitest'

import { getAreaAround, isInCountry, isMinArea, isWithin, getCenter, parseArea, formatArea, zoomArea } from './rules.ts'

const lodi = { latitude: 38.1308, longitude: -121.3345 }
const stockton = { latitude: 38.0024, longitude: -121.3238 }
const toledo = { latitude: 41.6614, longitude: -83.5249 }

describe('the map area in a URL', () => {
  test('is parsed as it was formatted', () => {
    const area = { west: -121.5, south: 37.9, east: -121.2, north: 38.2 }
    expect(formatArea(area)).toBe('-121.5,37.9,-121.2,38.2')
    expect(parseArea('-121.5,37.9,-121.2,38.2')).toEqual(area)
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['too few sides', '-121.5,37.9,-121.2'],
    ['too many sides', '-121.5,37.9,-121.2,38.2,1'],
    ['words', 'west,south,east,north'],
    ['a missing side', '-121.5,,-121.2,38.2'],
    ['east before west', '-121.2,37.9,-121.5,38.2'],
    ['north before south', '-121.5,38.2,-121.2,37.9'],
    ['larger than the world', '-221.5,37.9,-121.2,38.2'],
    ['not a number', 'NaN,NaN,NaN,NaN'],
  ])('is ignored if it is %s', (_what, text) => {
    expect(parseArea(text)).toBeUndefined()
  })

  test('contains the points inside it and on its sides', () => {
    const area = { west: -121.4, south: 38.0024, east: -121.3238, north: 38.05 }
    expect(isWithin(area, stockton)).toBe(true)
    expect(isWithin(area, lodi)).toBe(false)
  })
})

describe('the area around some sites', () => {
  test('contains all of them and a margin, in the shape of the map', () => {
    const area = getAreaAround([lodi, stockton, toledo], 1.6)
    if (!area) throw new Error('There is an area around three points')
    for (const point of [lodi, stockton, toledo]) expect(isWithin(area, point)).toBe(true)
    expect(area.west).toBeLessThan(-122)
    expect(area.east).toBeGreaterThan(-83)
  })

  test('is small around one site, but never empty', () => {
    const area = getAreaAround([lodi], 1.6)
    if (!area) throw new Error('There is an area around one point')
    expect(isWithin(area, lodi)).toBe(true)
    expect(isMinArea(area)).toBe(true)
    expect(area.east - area.west).toBeGreaterThan(0.01)
  })

  test('is undefined for no sites', () => {
    expect(getAreaAround([], 1.6)).toBeUndefined()
  })

  test('has at most three decimals', () => {
    const area = getAreaAround([lodi, stockton], 1.6)
    expect(area && formatArea(area)).toMatch(/^-?\d+(\.\d{1,3})?(,-?\d+(\.\d{1,3})?){3}$/)
  })
})

test('zooming in halves the area around a point; zooming out reverses it', () => {
  const area = getAreaAround([lodi, toledo], 1.6)
  if (!area) throw new Error('There is an area around two points')
  const closer = zoomArea(area, 1 / 2, lodi, 1.6)
  expect(closer.east - closer.west).toBeCloseTo((area.east - area.west) / 2, 2)
  expect(getCenter(closer).latitude).toBeCloseTo(lodi.latitude, 2)
  expect(getCenter(closer).longitude).toBeCloseTo(lodi.longitude, 2)
  const back = zoomArea(closer, 2, getCenter(closer), 1.6)
  expect(back.east - back.west).toBeCloseTo(area.east - area.west, 1)
})

test('the country includes Alaska and Hawaii, but no territories', () => {
  const points = {
    Anchorage: { latitude: 61.2, longitude: -149.9 },
    Honolulu: { latitude: 21.3, longitude: -157.9 },
    'San Juan': { latitude: 18.4, longitude: -66.1 },
    London: { latitude: 51.5, longitude: -0.1 },
  }
  const inside = Object.entries(points).filter(([, point]) => isInCountry(point))
  expect([lodi, toledo].every(isInCountry)).toBe(true)
  expect(inside.map(([name]) => name)).toEqual(['Anchorage', 'Honolulu'])
})
