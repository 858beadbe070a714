import { describe, expect, test } from 'vitest'

import { clusterPoints } from './clusters.ts'

const spot = (x: number, y: number, of = `${x} ${y}`) => ({ x, y, of })
/** Numbers that are the same on every run. */
const spread = (count: number, width: number, height: number) =>
  Array.from({ length: count }, (_, at) => spot((at * 7919.7) % width, ((at * 104_729.3) % (height * 3)) / 3, `site ${at}`))

describe('clusters', () => {
  test('of sites that lie apart are these sites, where they are', () => {
    expect(clusterPoints([spot(10, 10), spot(200, 10)], 44)).toEqual([
      { x: 10, y: 10, members: ['10 10'] },
      { x: 200, y: 10, members: ['200 10'] },
    ])
  })

  test('gather what lies on top of each other, in the middle of it', () => {
    const [cluster, ...others] = clusterPoints([spot(10, 10), spot(20, 10), spot(30, 10)], 44)
    expect(others).toEqual([])
    expect(cluster?.members).toHaveLength(3)
    expect(cluster?.x).toBeCloseTo(20)
    expect(cluster?.y).toBeCloseTo(10)
  })

  test('gather across the lines of the grid', () => {
    expect(clusterPoints([spot(43, 43), spot(45, 45)], 44)).toHaveLength(1)
  })

  test('are none of nothing', () => {
    expect(clusterPoints([], 44)).toEqual([])
  })

  test('hold every site once, and never lie nearer than asked', () => {
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
