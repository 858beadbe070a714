import { expect, test } from 'vitest'

import { fitText, spreadLabels, thinOut } from './layout.ts'

test('labels move apart where they would cover each other, in their order and between the ends', () => {
  expect(spreadLabels([100, 20, 104], 16, 0, 200)).toEqual([100, 20, 116])
  expect(spreadLabels([198, 199], 16, 0, 200)).toEqual([184, 200])
  expect(spreadLabels([], 16, 0, 200)).toEqual([])
})

test('a text that is too long ends with an ellipsis', () => {
  expect(fitText('Ohio', 100)).toBe('Ohio')
  expect(fitText('Bartholomew Featherstonehaugh', 80)).toMatch(/^Barthol\w*…$/)
})

test('the last of many days keeps its label', () => {
  expect(thinOut(['a', 'b', 'c', 'd', 'e'], 3)).toEqual(['a', 'c', 'e'])
  expect(thinOut(['a', 'b', 'c', 'd'], 2)).toEqual(['b', 'd'])
  expect(thinOut(['a'], 0)).toEqual(['a'])
})
