import { describe, expect, test } from 'vitest'

import { clusterPoints } from './clusters.ts'

const spot = (x: number, y: number, of = `${x} ${y}`) => ({ x, y, of })
/** Pseudo-random numbers, the same in every run. */
const spread = (count: number, width: number, height: number) =>
  Array.from({ length: count }, (_, at) => spot((at * 7919.7) % width, ((at * 104_729.3) % (height * 3)) / 3, `site ${at}`))

describe('clusters', () => {
  test('of separate sites are these sites', () => {
    expect(clusterPoints([spot(10, 10), spot(200, 10)], 44)).toEqual([
      { x: 10, y: 10, members: ['10 10'] },
      { x: 200, y: 10, members: ['200 10'] },
    ])
  })

  test('combine overlapping sites at their center', () => {
    const [cluster, ...others] = clusterPoints([spot(10, 10), spot(20, 10), spot(30, 10)], 44)
    expect(others).toEqual([])
    expect(cluster?.members).toHaveLength(3)
    expect(cluster?.x).toBeCloseTo(20)
    expect(cluster?.y).toBeCloseTo(10)
  })

  test('combine sites across grid lines', () => {
    expect(clusterPoints([spot(43, 43), spot(45, 45)], 44)).toHaveLength(1)
  })

  test('are empty for no sites', () => {
    expect(clusterPoints([], 44)).toEqual([])
  })

  test('contain every site once, at least the minimum distance apart', () => {
    const spots = spread(1500, 640, 400)
    const clusters = clusterPoints(spots, 44)
    expect(clusters.flatMap(({ members }) => members).toSorted()).toEqual(spots.map(({ of }) => of).toSorted())
    expect(clusters.length).toBeGreaterThan(20)
    for (const [at, a] of clusters.entries())
      for (const b of clusters.slice(at + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(44)
  })

  test('of 10,000 sites are few', () => {
    expect(clusterPoints(spread(10_000, 640, 400), 44).length).toBeLessThan(150)
  })
})
