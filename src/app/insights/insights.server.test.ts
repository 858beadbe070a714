import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loadSample } from '../../../sample/load.server.ts'
import { createRandom } from '../../../sample/random.ts'
import { type SignedInCaller, startApp, type TestApp } from '../../../test/support/app.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { EXPECTED_ROLES } from '../../contract/roles.ts'
import { isActive } from '../../contract/status.ts'
import { setActor } from '../../database/connection.server.ts'
import { createChecks } from '../../features/changing/checks/contract.ts'
import { answerRequest, listRequests } from '../../features/changing/requests/contract.ts'
import { listDeadlines, updateDeadline } from '../../features/deadlines/deadlines/contract.ts'
import { addDays, countDays } from '../../features/deadlines/deadlines/rules.ts'
import { listCharters } from '../../records/charters/contract.ts'
import { listSites, updateSite } from '../../records/sites/contract.ts'
import { type Insight, type InsightQuery, type InsightSeries, listInsights, readInsight } from './contract.ts'
import { prepareInsights } from './queries.server.ts'

let app: TestApp
let reader: SignedInCaller
let begins: string
const random = createRandom(Math.random())

beforeAll(async () => {
  app = await startApp({ TIME_ZONE: 'America/Los_Angeles' })
  await loadSample({ db: app.context.db, sites: 60 })
  app.context.readModel.invalidateAll()
  reader = app.as(1)
  begins = (await read('site-status')).begins ?? ''
}, 120_000)
afterAll(() => app.stop())

const read = (name: string, query: InsightQuery = {}): Promise<Insight> => reader.send(readInsight, { params: { name }, query })

/** The figures of a day, by key, without those that are zero. */
const getDay = (series: readonly InsightSeries[], on: string): Record<string, number> =>
  Object.fromEntries(
    series.flatMap(({ key, points }) => points.flatMap((point) => (point.on === on && point.value !== 0 ? [[key, point.value]] : []))),
  )

const countBy = <T>(items: readonly T[], toKey: (item: T) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(items, toKey)].map(([key, own]) => [key, own.length]))

const pickDay = (): string => addDays(begins, random.int(1, countDays(begins, new Date().toISOString().slice(0, 10)) - 1))

const readSitesOn = async (on: string) => {
  const response = await reader.request('GET', `${listSites.path}?on=${on}`)
  return response.json() as Awaited<ReturnType<typeof reader.send<typeof listSites>>>
}

describe('a point equals what the lists of that day count', () => {
  test('sites by status, region, brand, charter and facility type, and vacant positions by role', async () => {
    for (const on of Array.from({ length: 3 }, pickDay)) {
      const from = addDays(on, -random.int(1, 30)) > begins ? addDays(on, -random.int(1, 30)) : begins
      const [sites, charters] = [await readSitesOn(on), (await reader.request('GET', `${listCharters.path}?on=${on}`)).json()]
      const brands = new Map((charters as { _id: string; brand: string }[]).map(({ _id, brand }) => [_id, brand]))
      const by = async (choice: string) => getDay((await read('site-status', { from, to: on, by: choice })).series, on)
      expect(await by('status'), on).toEqual(countBy(sites, ({ status }) => status))
      expect(await by('region'), on).toEqual(countBy(sites, ({ region }) => region?._id ?? ''))
      expect(await by('type'), on).toEqual(countBy(sites, ({ category }) => category ?? ''))
      expect(await by('brand'), on).toEqual(countBy(sites, ({ charter }) => brands.get(charter?._id ?? '') ?? ''))
      const summaries = (await reader.request('GET', `/locations-api/site_summaries?on=${on}`)).json() as {
        status: Parameters<typeof isActive>[0]
        vacant: string[]
      }[]
      const vacant = summaries.filter(({ status }) => isActive(status)).flatMap((site) => site.vacant)
      expect(getDay((await read('vacancies', { from, to: on })).series, on), on).toEqual(countBy(vacant, (role) => role))
    }
  }, 120_000)

  test('students by charter, of charters that are not closed, also after they were checked', async () => {
    const counted = (await reader.send(listCharters)).filter(({ status, studentCount }) => isActive(status) && studentCount !== null)
    await reader.send(createChecks, { body: { kind: 'charter', ids: counted.map(({ _id }) => _id) } })
    for (const on of Array.from({ length: 3 }, pickDay)) {
      const charters = (await reader.request('GET', `${listCharters.path}?on=${on}`)).json() as Awaited<
        ReturnType<typeof reader.send<typeof listCharters>>
      >
      const expected = charters.filter(({ status, studentCount }) => isActive(status) && studentCount !== null)
      const { title, series } = await read('students', { from: on, to: on, by: 'charter' })
      const sum = expected.reduce((total, { studentCount }) => total + (studentCount ?? 0), 0)
      expect(title).toContain(`Students: ${sum.toLocaleString('en-US')}`)
      expect(series.reduce((total, { points }) => total + (points[0]?.value ?? 0), 0)).toBe(sum)
    }
  }, 60_000)
})

/** The value of a column of each row of a table at the end of a day, from the history alone. */
const selectAt = (table: string, columns: readonly string[], on: string): RawBuilder<Record<string, string | null>> => sql`
  select record, ${sql.join(columns.map((column) => sql`after ->> ${sql.lit(column)} as ${sql.ref(column)}`))} from (
    select distinct on (record) record, action, after from change
    where "table" = ${table} and action in ('insert', 'update', 'delete') and (at at time zone 'America/Los_Angeles')::date <= ${on}::date
    order by record, _id desc) as last
  where action <> 'delete'`

describe('figures equal counts by SQL over the history', () => {
  test.each(['site-status', 'lease-open-ended'])('%s at each drawn day', async (name) => {
    const { series } = await read(name, { from: begins, by: 'type' })
    const days = series[0]?.points.map(({ on }) => on) ?? []
    expect(days.length).toBeGreaterThan(12)
    for (const on of random.some(days.slice(1, -1), 6)) {
      const sites = (await selectAt('site', ['category', 'status'], on).execute(app.context.db)).rows
      const facilities = (await selectAt('facility', ['lease_end_open'], on).execute(app.context.db)).rows
      const open = new Set(facilities.filter(({ lease_end_open }) => lease_end_open === 'true').map(({ record }) => record))
      const counted =
        name === 'site-status' ? sites : sites.filter(({ record, status }) => open.has(record ?? '') && !status?.startsWith('CLOSED'))
      expect(getDay(series, on), on).toEqual(countBy(counted, ({ category }) => category ?? ''))
    }
  })

  test('opened and closed sites of each month', async () => {
    const { series } = await read('site-openings', { from: addDays(begins, 40) })
    const [opened, closed] = series
    const months = opened?.points.slice(1, -1).map(({ on }) => on) ?? []
    const stateAt = async (on: string) =>
      new Map((await selectAt('site', ['status'], on).execute(app.context.db)).rows.map(({ record, status }) => [record, status]))
    for (const month of random.some(months, 4)) {
      const next = addDays(month, 32).slice(0, 8) + '01'
      const [before, after] = [await stateAt(addDays(month, -1)), await stateAt(addDays(next, -1))]
      const count = (prefix: string): number =>
        [...after].filter(([site, status]) => status?.startsWith(prefix) && !before.get(site)?.startsWith(prefix)).length
      expect(
        [opened, closed].map((one) => one?.points.find(({ on }) => on === month)?.value),
        month,
      ).toEqual([count('ACTIVE'), count('CLOSED')])
    }
  })
})

test('days before the history began are not drawn', async () => {
  const { series, compared } = await read('site-status', { from: addDays(begins, -400) })
  expect(series.flatMap(({ points }) => points.map(({ on }) => on)).toSorted()[0]).toBe(begins)
  expect(compared).toBeNull()
})

describe('kept days', () => {
  test('are computed once, and again after a change of the past', async () => {
    const { db } = app.context
    const [on, before] = [addDays(begins, 200), addDays(begins, 100)]
    await db.deleteFrom('insight_day').execute()
    const readBoth = async () => {
      app.context.readModel.invalidateAll()
      await read('site-status', { from: addDays(before, -1), to: addDays(before, -1) })
      return read('site-status', { from: on, to: on })
    }
    const first = await readBoth()
    // Both days, and those that they are compared with.
    const days = [on, addDays(on, -1), addDays(before, -1), addDays(before, -2)]
    const kept = () => db.selectFrom('insight_day').select('through').where('measure', '=', 'sites').where('day', 'in', days).execute()
    // A day is kept for good once no transaction that may still change the past is running.
    await waitUntil('the days are kept for good', async () => {
      await readBoth()
      const found = await kept()
      return found.length === days.length && found.every(({ through }) => through > 0)
    })
    // A figure that nothing else computes shows that the kept day is read.
    await db
      .updateTable('insight_day')
      .set({ cells: JSON.stringify({ '\n\n\n\nACTIVE': 12_345 }) })
      .where('measure', '=', 'sites')
      .execute()
    app.context.readModel.invalidateAll()
    expect(getDay((await read('site-status', { from: on, to: on })).series, on)).toEqual({ ACTIVE: 12_345 })
    // An import adds a site with a date of the past.
    await db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Import', at: new Date(`${before}T20:00:00Z`) })
      await tx.insertInto('site').values({ slug: 'from-the-past', displayName: 'From the past', category: 'Online' }).execute()
    })
    app.context.readModel.invalidateAll()
    const again = await read('site-status', { from: on, to: on })
    const active = (insight: Insight): number => getDay(insight.series, on)['ACTIVE'] ?? 0
    expect(active(again)).toBe(active(first) + 1)
    const early = await read('site-status', { from: addDays(before, -1), to: addDays(before, -1) })
    expect(getDay(early.series, addDays(before, -1))['ACTIVE']).toBe(12_345)
    await db.deleteFrom('insight_day').execute()
  })

  test('are counted before anyone asks, those of the last year and the first of each month', async () => {
    const { db } = app.context
    await db.deleteFrom('insight_day').execute()
    await prepareInsights(app.context, new AbortController().signal)
    const kept = await db.selectFrom('insight_day').select(['measure', 'day']).execute()
    const measures = Map.groupBy(kept, ({ measure }) => measure)
    expect([...measures.keys()].toSorted()).toEqual(['checks within 180 days', 'open leases', 'positions', 'sites', 'students'])
    const { series } = await read('site-status', { from: begins })
    const drawn = series[0]?.points.map(({ on }) => on).slice(0, -1) ?? []
    for (const [measure, days] of measures)
      expect(
        drawn.filter((on) => !days.some(({ day }) => day === on)),
        measure,
      ).toEqual([])
    await db.deleteFrom('insight_day').execute()
  })

  test('today follows every save', async () => {
    const [site] = (await reader.send(listSites)).filter(({ status }) => status === 'ACTIVE')
    const count = async (): Promise<number> => {
      const { series, to } = await read('site-status')
      return getDay(series, to)['PENDING'] ?? 0
    }
    const before = await count()
    await reader.send(updateSite, { params: { id: site?._id ?? '' }, body: { status: 'PENDING' } })
    expect(await count()).toBe(before + 1)
  })
})

describe('answers are kept', () => {
  test('until something changes that they count', async () => {
    const countAccepted = async () => {
      const { series } = await read('suggestions')
      return series.find(({ key }) => key === 'accepted')?.points.reduce((sum, { value }) => sum + value, 0) ?? 0
    }
    const before = await countAccepted()
    // A decision that no server is told of shows that the kept answer is sent.
    await sql`update proposal_field set state = 'accepted', "decidedAt" = now() where (proposal, path) = (
      select proposal, path from proposal_field where state = 'open' order by 1, 2 limit 1)`.execute(app.context.db)
    expect(await countAccepted()).toBe(before)
    const { requests } = await reader.send(listRequests, { query: { state: 'open', kind: 'support' } })
    await reader.send(answerRequest, { params: { id: requests[0]?._id ?? '' }, body: { state: 'done' } })
    expect(await countAccepted()).toBe(before + 1)
  })

  test('and follow a deadline that is handled', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const [deadline] = await reader.send(listDeadlines, { query: { state: 'open', from: addDays(today, -90), to: addDays(today, -3) } })
    const countLate = async () => {
      const { series } = await read('deadlines-handled')
      return series.find(({ key }) => key === 'late')?.points.reduce((sum, { value }) => sum + value, 0)
    }
    const before = (await countLate()) ?? 0
    await reader.send(updateDeadline, { params: { id: deadline?._id ?? '' }, body: { state: 'handled' } })
    expect(await countLate()).toBe(before + 1)
  })

  test('for the time zone of the organization, also after it changes', async () => {
    const { configuration, db } = app.context
    const { rows } = await sql<{ on: string }>`
      select distinct (at at time zone 'America/Los_Angeles')::date::text as on from change
      where "table" = 'site' and action = 'insert' order by 1 desc limit 3`.execute(db)
    const on = rows.at(-1)?.on ?? ''
    const count = async () => getDay((await read('site-status', { from: on, to: on })).series, on)
    const here = await count()
    try {
      // Whatever is done in an office in California happens a day later there.
      configuration.timeZone = 'Pacific/Kiritimati'
      const there = await count()
      expect(there).toEqual(countBy(await readSitesOn(on), ({ status }) => status))
      expect(there).not.toEqual(here)
    } finally {
      configuration.timeZone = 'America/Los_Angeles'
    }
    expect(await count()).toEqual(here)
  })
})

test('every insight answers each of its choices, with a title, and a link to a page', async () => {
  const all = await reader.send(listInsights, { query: {} })
  expect(new Set(all.map(({ group }) => group)).size).toBe(6)
  for (const { name, title = '', link = '', choices } of all) {
    expect(title, name).toMatch(/\w/)
    expect(link, name).toMatch(/^\/(locations|coverage|leadership|charters|deadlines|activity|requests)(\?|$)/)
    for (const { key } of choices) {
      const insight = await read(name, { by: key })
      expect(insight.by).toBe(key)
      const keys = insight.series.map((one) => one.key)
      expect(new Set(keys).size, `${name} ${key}`).toBe(keys.length)
    }
  }
  expect(all.some(({ title = '' }) => title.includes('Principals: '))).toBe(true)
  expect(EXPECTED_ROLES).toContain('Principal')
}, 60_000)

test('filters, periods and choices that do not exist are refused with their field', async () => {
  const refuse = async (query: object, path: string): Promise<void> => {
    const search = new URLSearchParams(query as Record<string, string>).toString()
    const response = await reader.request('GET', `/api/insights/site-status?${search}`)
    expect([response.statusCode, response.json().errors[0]?.path], search).toEqual([422, path])
  }
  await refuse({ region: 'atlantis' }, 'region')
  await refuse({ by: 'color' }, 'by')
  await refuse({ to: '2999-01-01' }, 'to')
  await refuse({ from: '2026-02-02', to: '2026-02-01' }, 'from')
  await refuse({ from: '1990-01-01' }, 'from')
  expect((await reader.request('GET', '/api/insights/unknown')).statusCode).toBe(404)
})

test('level 10 gets what the directory shows; charter affairs need level 6, handled deadlines level 5', async () => {
  const list = async (level: number) => (await app.as(level).send(listInsights, { query: {} })).map(({ name }) => name)
  const [all, six, ten] = [await list(5), await list(6), await list(10)]
  expect(all.filter((name) => !six.includes(name))).toEqual(['deadlines-handled'])
  expect(six.filter((name) => !ten.includes(name))).toEqual([
    'charter-terms',
    'charter-expirations',
    'corrected-fields',
    'suggestions',
    'answer-days',
  ])
  expect((await app.as(10).trySend(readInsight, { params: { name: 'charter-terms' }, query: {} })).statusCode).toBe(403)
  expect((await app.as(6).trySend(readInsight, { params: { name: 'deadlines-handled' }, query: {} })).statusCode).toBe(403)
})

test('the title of sites per person is about everyone, also those who are not drawn', async () => {
  const { db, readModel } = app.context
  const site = (await reader.send(listSites)).find(({ status }) => isActive(status))?._id
  await sql`
    with added as (insert into person (slug, name) select 'loaded-' || n, 'Loaded ' || n from generate_series(1, 60) as n returning _id)
    insert into site_person (site, person, role)
    select ${site}::uuid, added._id, role._id from added, role where role.name = 'Area Superintendent'`.execute(db)
  readModel.invalidateAll()
  const { title, series, records } = await read('site-load')
  expect(series).toHaveLength(50)
  expect(title).toMatch(/ in the median, from 1 to /)
  expect(records).toBeGreaterThan(60)
})
