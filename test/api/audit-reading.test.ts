import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import {
  type AuditEvent,
  downloadAudit,
  listAuditActors,
  listAuditEntries,
  listAuditEvents,
} from '../../src/features/operations/audit/contract.ts'
import { verifyAuditTrail } from '../../src/platform/server/audit-verification.ts'
import { getSystemActor, recordAudit } from '../../src/platform/server/audit.ts'
import { readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'
import { readWorkbook } from '../support/workbooks.ts'

test('repeated reads by one person on one day are one entry with their number, and the trail keeps every row', async () => {
  const { context, as } = await startApp({ TIME_ZONE: 'America/Los_Angeles' })
  const { db } = context
  const reader = as(1)
  await reader.send(listAuditEntries)
  const [newest] = await reader.send(listAuditEvents, { query: { order: 'newest', limit: 1 } })
  const start = newest?.sequence ?? 0
  const read = (name: string, charter: string, what: string) =>
    recordAudit(
      db,
      { ...getSystemActor(name), actor: `${name}@reads.test` },
      { kind: 'charter_affair.read', record: charter, after: { charter, what } },
    )
  await read('ada', 'Bright Harbor', 'deadlines')
  await read('grace', 'Bright Harbor', 'deadlines')
  await recordAudit(db, getSystemActor('ada'), { kind: 'permission.granted' })
  await read('ada', 'Bright Harbor', 'history')
  await read('ada', 'Bright Harbor', 'deadlines')
  await sql`alter table audit_event disable trigger user`.execute(db)
  // The first one is on the day before in California.
  await sql`update audit_event set at = '2026-11-20T06:00:00Z'::timestamptz + (_id - ${start}) * interval '1 hour' where _id > ${start}`.execute(
    db,
  )
  await sql`alter table audit_event enable trigger user`.execute(db)

  const { entries, cursor } = await reader.send(listAuditEntries, { query: { since: '2026-11-19', until: '2026-11-20' } })
  expect(cursor).toBeNull()
  expect(entries.map(({ name, kind, record, after, reads }) => [name, kind, record, after, reads])).toEqual([
    ['ada', 'charter_affair.read', 'Bright Harbor', { charter: 'Bright Harbor' }, { count: 2, since: '2026-11-20T10:00:00.000Z' }],
    ['ada', 'permission.granted', null, null, null],
    ['grace', 'charter_affair.read', 'Bright Harbor', { charter: 'Bright Harbor', what: 'deadlines' }, null],
    ['ada', 'charter_affair.read', 'Bright Harbor', { charter: 'Bright Harbor', what: 'deadlines' }, null],
  ])
  const each = await reader.send(listAuditEntries, { query: { since: '2026-11-19', until: '2026-11-20', each: 'true' } })
  expect(each.entries.map(({ reads }) => reads)).toEqual([null, null, null, null, null])
  expect(
    await reader.send(listAuditEvents, { query: { kind: 'charter_affair.read', since: '2026-11-19', until: '2026-11-20' } }),
  ).toHaveLength(4)

  for (let at = 0; at < 130; at++) await recordAudit(db, getSystemActor('Ada'), { kind: 'calendar.created', record: String(at) })
  const first = await reader.send(listAuditEntries, { query: { kind: 'calendar.created', each: 'true' } })
  const second = await reader.send(listAuditEntries, { query: { kind: 'calendar.created', each: 'true', cursor: first.cursor ?? 0 } })
  expect([...first.entries, ...second.entries].map(({ record }) => Number(record))).toEqual(
    Array.from({ length: 130 }, (_, at) => 129 - at),
  )
  expect(second.cursor).toBeNull()
})

describe('the trail can be read', () => {
  let trail: TestApp
  let reader: SignedInCaller
  const actor = (name: string) => ({ ...getSystemActor(name), actor: `${name.toLowerCase()}@audit.test`, address: '192.0.2.1' })
  beforeAll(async () => {
    trail = await startApp({ TIME_ZONE: 'America/Los_Angeles' })
    reader = trail.as(1)
    const { db } = trail.context
    for (const name of ['Ada', 'Grace'])
      for (const kind of ['permission.granted', 'permission.removed', 'calendar.created'] as const)
        await recordAudit(db, actor(name), { kind, record: `${name} ${kind}`, after: { text: `Größe ${name}` } })
    // Spreads the events over three days in California, each of which ends at 08:00 UTC.
    await sql`alter table audit_event disable trigger user`.execute(db)
    await sql`update audit_event set at = '2026-11-19T07:00:00Z'::timestamptz + (_id - 1) / 2 * interval '1 day' + (_id - 1) % 2 * interval '59 minutes'`.execute(
      db,
    )
    await sql`alter table audit_event enable trigger user`.execute(db)
  })
  const listSequences = async (query: object) => (await reader.send(listAuditEvents, { query })).map(({ sequence }) => sequence)

  test.each([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ order: 'newest' }, [6, 5, 4, 3, 2, 1]],
    [{ limit: 2 }, [1, 2]],
    [{ limit: 2, cursor: 2 }, [3, 4]],
    [{ order: 'newest', limit: 2, cursor: 5 }, [4, 3]],
    [{ cursor: 6 }, []],
    [{ kind: 'permission' }, [1, 2, 4, 5]],
    [{ kind: 'permission.removed' }, [2, 5]],
    [{ actor: 'GRACE@audit.test' }, [4, 5, 6]],
    [{ actor: 'Ada' }, [1, 2, 3]],
    [{ actor: 'nobody' }, []],
    [{ q: 'größe grace' }, [4, 5, 6]],
    [{ q: '192.0.2.1', kind: 'calendar' }, [3, 6]],
    [{ since: '2026-11-20T07:00:00Z' }, [3, 4, 5, 6]],
    [{ until: '2026-11-20T07:00:00Z' }, [1, 2]],
    [{ since: '2026-11-20T08:00:00+01:00', until: '2026-11-20T08:59:00+01:00' }, [3]],
    // 11:00 and 11:59 p.m. in California.
    [{ since: '2026-11-19', until: '2026-11-19' }, [3, 4]],
    [{ since: '2026-11-20' }, [5, 6]],
  ])('filtered by %j', async (query, expected) => expect(await listSequences(query)).toEqual(expected))

  test.each([
    [{ since: 'yesterday' }, 'since'],
    [{ until: '2026-13-01' }, 'until'],
    [{ kind: 'grant' }, 'kind'],
    [{ limit: 0 }, 'limit'],
    [{ order: 'up' }, 'order'],
    [{ cursor: -1 }, 'cursor'],
    [{ what: 'else' }, 'what'],
  ])('but is refused with a reason for %j', async (query, field) => {
    const response = await reader.request('GET', `/api/audit?${new URLSearchParams(query as never).toString()}`)
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, field])
  })

  test('as lines of JSON on request, with hashes that a program can verify', async () => {
    const response = await reader.trySend(listAuditEvents, { headers: { accept: 'application/x-ndjson' } })
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const rows = response.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEvent)
    expect(rows).toEqual(await reader.send(listAuditEvents))
    let previous = ''
    for (const { hash, ...row } of rows) {
      const text = JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))))
      expect(hash).toBe(
        createHash('sha256')
          .update(previous + text)
          .digest('hex'),
      )
      previous = hash
    }
    expect((await verifyAuditTrail(trail.context.db)).defects).toEqual([])
  })

  test('as a workbook with the same filters, recorded as a download', async () => {
    const response = await reader.trySend(downloadAudit, { query: { kind: 'permission', actor: 'Ada' } })
    const [sheet] = await readWorkbook(response.rawPayload)
    expect(sheet?.rows.map((row) => [row['Event'], row['Name'], row['Row']])).toEqual([
      ['Access removed', 'Ada', { number: 2 }],
      ['Access granted', 'Ada', { number: 1 }],
    ])
    expect(sheet?.rows[1]).toMatchObject({ When: '11/18/2026 11:00 PM', Email: 'ada@audit.test', After: '{"text":"Größe Ada"}' })
    const [entry] = await reader.send(listAuditEvents, { query: { order: 'newest', limit: 1 } })
    expect(entry).toMatchObject({ kind: 'download.finished', after: { what: 'Audit Trail, kind: permission, actor: Ada', rows: 2 } })
  })

  test('with its people by name, the latest two hundred', async () => {
    const people = await reader.send(listAuditActors)
    expect(people).toEqual(
      expect.arrayContaining([
        { actor: 'ada@audit.test', name: 'Ada' },
        { actor: 'grace@audit.test', name: 'Grace' },
      ]),
    )
  })

  test('only by level 1', async () => {
    for (const call of [listAuditEvents, listAuditActors, downloadAudit]) {
      for (const level of [2, 5, 6, 10]) expect((await trail.as(level).trySend(call)).statusCode).toBe(403)
      expect((await trail.anonymous.trySend(call)).statusCode).toBe(401)
    }
    expect((await (await reader.program()).trySend(listAuditEvents)).statusCode).toBe(200)
    expect((await (await reader.program(2)).trySend(listAuditEvents)).statusCode).toBe(403)
  })

  test('from a read-only database, as during a failover, where affairs can be read too', async () => {
    const { db } = trail.context
    const headers = await reader.headers()
    const charter = await trail.make.charter()
    await recordAudit(db, actor('Ada'), { kind: 'calendar.created' })
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    const database = sql.id(rows[0]?.name ?? '')
    await sql`alter database ${database} set default_transaction_read_only = on`.execute(db)
    try {
      const second = await trail.startSecond()
      const error = vi.spyOn(second.context.log, 'error')
      const trailThere = await second.anonymous.trySend(listAuditEvents, { headers, query: { limit: 3 } })
      expect(trailThere.json().map(({ sequence }: AuditEvent) => sequence)).toEqual([1, 2, 3])
      expect((await second.anonymous.trySend(readCharterAffair, { params: { id: charter._id }, headers })).statusCode).toBe(200)
      expect(error.mock.calls.map(([line]) => line)).toMatchObject([{ audit: { kind: 'charter_affair.read', record: charter._id } }])
    } finally {
      await sql`alter database ${database} set default_transaction_read_only = off`.execute(db)
    }
  })
})
