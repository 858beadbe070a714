import { expect, test } from 'vitest'

import { PAGE_LIST } from '../../../contract/pages.ts'
import { recordPageView } from './contract.ts'
import { findPagePattern, getPageName, roundUpForAxis, toPagePattern } from './rules.ts'

test('a page is shown by its title, or by its path if it has none', () => {
  expect([getPageName('/'), getPageName('/location/{slug}'), getPageName('/new')]).toEqual(['Home', 'One resource center', '/new'])
})

test.each(['/errors', '/usage', '/location/{slug}/sis/{id}'])('%s is counted', (page) => {
  expect(recordPageView.body.safeParse({ page }).success).toBe(true)
})

test('the top of the scale is a round number', () => {
  expect([0, 1, 2, 3, 5, 7, 10, 11, 49, 50, 51, 999, 1001].map(roundUpForAxis)).toEqual([
    1, 1, 2, 5, 5, 10, 10, 20, 50, 50, 100, 1000, 2000,
  ])
})

test('every page of the app is counted, and nothing else', () => {
  const routes = PAGE_LIST.filter(([, { standalone }]) => standalone !== 'signed in').map(([path]) => toPagePattern(path))
  expect(routes.length).toBeGreaterThan(35)
  expect(routes.filter((page) => findPagePattern(page) !== page)).toEqual([])
  for (const page of ['/fac/sis/404/login', '/{id}/{id}', '/location/lodi', '/constructor', '/signed-in-again', '/assistant/{id}'])
    expect(recordPageView.body.safeParse({ page }).success).toBe(false)
})
