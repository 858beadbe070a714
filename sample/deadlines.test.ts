import { beforeAll, describe, expect, test } from 'vitest'

import { readInsight } from '../src/app/insights/contract.ts'
import { KIND_NAMES } from '../src/contract/deadlines.ts'
import {
  CONTRADICTION_KINDS,
  type Contradiction,
  type Deadline,
  listContradictions,
  listDeadlines,
  listUnreadTexts,
  type UnreadText,
} from '../src/features/deadlines/deadlines/contract.ts'
import { startApp, type TestApp } from '../test/support/app.ts'
import { loadSample } from './load.server.ts'

describe('deadlines of the sample network', () => {
  const now = new Date()
  const today = now.toISOString().slice(0, 10)
  let deadlines: Deadline[]
  let unread: UnreadText[]
  let contradictions: Contradiction[]
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
    await loadSample({ db: app.context.db, sites: 300, now })
    app.context.lists.invalidateAll(true)
    const manager = app.as(6)
    deadlines = await manager.send(listDeadlines)
    unread = await manager.send(listUnreadTexts)
    contradictions = await manager.send(listContradictions)
  }, 300_000)

  const read = (kind: Deadline['kind']) => deadlines.filter((one) => one.kind === kind)

  test('are of every kind and state, read from texts of both records and added by people', () => {
    for (const kind of KIND_NAMES) expect(read(kind).length, kind).toBeGreaterThan(10)
    expect(new Set(deadlines.map(({ state }) => state))).toEqual(new Set(['open', 'handled', 'snoozed']))
    expect(new Set(deadlines.map(({ source }) => source?.record))).toEqual(new Set(['charter_affair', 'facility', 'custom']))
    expect(deadlines.some(({ precision }) => precision === 'month')).toBe(true)
    expect(new Set(deadlines.map(({ responsibleFrom }) => responsibleFrom))).toEqual(new Set(['deadline', 'region', 'kind', null]))
  })

  test('were handled in time, some of them late, and a few not at all', async () => {
    const { series } = await app.as(5).send(readInsight, { params: { name: 'deadlines-handled' }, query: {} })
    const count = (key: string): number => series.find((one) => one.key === key)?.points.reduce((sum, { value }) => sum + value, 0) ?? 0
    expect(count('late')).toBeGreaterThan(0)
    expect(count('missed')).toBeGreaterThan(0)
    expect(count('in time')).toBeGreaterThan(2 * count('late'))
  })

  test('are mostly in the future, and a few are overdue', () => {
    const open = deadlines.filter(({ state }) => state === 'open')
    const overdue = open.filter(({ date }) => date < today).length
    expect(overdue).toBeGreaterThan(5)
    expect(overdue).toBeLessThan(25)
    expect(open.length).toBeGreaterThan(400)
  })

  test('have the renewal petition due before the charter expires, with a few exceptions', () => {
    const late = contradictions.filter(({ kind }) => kind === 'petition after expiration')
    expect(late.length).toBeLessThan(6)
    expect(read('petition').filter(({ title }) => title === 'Petition submission due').length).toBeGreaterThan(30)
  })

  test('have a few contradictions of every kind', () => {
    expect(new Set(contradictions.map(({ kind }) => kind))).toEqual(new Set(CONTRADICTION_KINDS))
    expect(contradictions.length).toBeLessThan(25)
  })

  test('have a few texts without a date, for several reasons', () => {
    expect(new Set(unread.map(({ why }) => why)).size).toBeGreaterThan(2)
    expect(unread.length).toBeLessThan(25)
  })
})
