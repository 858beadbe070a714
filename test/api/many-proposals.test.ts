import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { buildApp } from '../../src/app/app.server.ts'
import { CHECK_FACTS } from '../../src/app/scheduled-jobs.server.ts'
import { sendCheckMails } from '../../src/features/changing/checks/send-check-mails.server.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { measureCpu, measureLeastCpu, measureSlowness } from '../support/cpu-time.ts'

// 1,000 open suggestions and 10,000 sites that are due for a check. CPU time is measured, so that other work on the machine does not count; it may
// be twice that of docs/developers/performance.md, and more on a slower machine.

const isSlow = process.env['TEST_ALL'] === '1'
const SITES = 10_000
const PROPOSALS = 1000
const TOLERANCE = 2

let app: TestApp

/** Creates copies of one site, each checked long ago, and suggestions for two fields of some of them, without history rows. */
const fillNetwork = async ({ context, make }: TestApp): Promise<void> => {
  const site = await make.site({ checkedAt: new Date('2020-01-01T00:00:00Z'), checkedBy: 'Ana' })
  await context.db.transaction().execute(async (tx) => {
    await sql`select set_config('homeroom.skip_history', 'yes', true)`.execute(tx)
    await sql`
      insert into site select (jsonb_populate_record(null::site, to_jsonb(s) || jsonb_build_object('_id', 'site-' || n, 'slug', 'many-site-' || n,
        'displayName', 'Many site ' || n))).*
      from site as s, generate_series(1, ${SITES - 1}) as n where s._id = ${site._id}`.execute(tx)
    await sql`
      with sent as (
        insert into request (kind, site, location, text, name, email, "openFields", "createdAt")
        select 'change', 'site-' || n, 'Many site ' || n, 'Suggested: Phone, City', 'Sender ' || n, 'sender' || n || '@network.test', 2,
          now() - n * interval '1 hour'
        from generate_series(1, ${PROPOSALS}) as n returning _id, site),
      proposed as (insert into proposal (_id, kind, record) select _id, 'site', site from sent returning _id)
      insert into proposal_field (proposal, path, position, before, suggested)
      select _id, field.path, field.position, coalesce(to_jsonb(field.before), 'null'), to_jsonb(field.suggested)
      from proposed, (values ('address.phone', 0, ${site.phone}::text, '6615550187'), ('address.city', 1, ${site.city}::text, 'Palmdale'))
        as field (path, position, before, suggested)`.execute(tx)
  })
  await sql`analyze`.execute(context.db)
  context.lists.invalidateAll(true)
}

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test.runIf(isSlow)('1,000 open suggestions and 10,000 sites to check are listed within the time limits', { timeout: 600_000 }, async () => {
  const { context, as } = app
  await fillNetwork(app)
  const officer = as(5)
  // Without response validation, which takes longer than building the responses.
  const server = await buildApp(context)
  await server.ready()
  const { host } = new URL(context.configuration.publicUrl)
  const headers = await officer.headers()
  const get = async (url: string): Promise<unknown> => {
    const response = await server.inject({ method: 'GET', url, headers, authority: host })
    expect(response.statusCode, url).toBe(200)
    return response.json()
  }
  expect(await get('/api/requests?state=open')).toMatchObject({ matching: PROPOSALS })
  expect(await get('/api/proposals?state=open')).toHaveLength(PROPOSALS)
  expect(await get('/api/checks?due=true')).toHaveLength(SITES)
  await get('/api/home')
  const figures = {
    requests: await measureLeastCpu(() => get('/api/requests?state=open')),
    proposals: await measureLeastCpu(() => get('/api/proposals?state=open')),
    waiting: await measureLeastCpu(() => get('/api/home/waiting')),
    home: await measureLeastCpu(() => get('/api/home')),
    checks: await measureLeastCpu(() => get('/api/checks?due=true')),
    activity: await measureLeastCpu(() => get('/api/activity')),
    round: await measureCpu(() => sendCheckMails(context, CHECK_FACTS)),
    roundAgain: await measureCpu(() => sendCheckMails(context, CHECK_FACTS)),
  }
  const bounds = { requests: 30, proposals: 80, waiting: 10, home: 30, checks: 150, activity: 30, round: 150, roundAgain: 10 }
  const slower = TOLERANCE * (await measureSlowness())
  const over = Object.entries(bounds).filter(([name, bound]) => figures[name as 'home'] > bound * slower)
  expect(over, `milliseconds: ${JSON.stringify(figures)}`).toEqual([])
  await server.close()
})
