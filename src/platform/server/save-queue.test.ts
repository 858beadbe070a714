import { sql } from 'kysely'
import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

import { startApp } from '../../../test/support/app.ts'
import { CommitUnknown, SaveQueue } from './save-queue.ts'

const startQueue = async () => {
  const { context } = await startApp()
  await sql`create table if not exists saved (_id integer primary key, name text unique, transaction text)`.execute(context.db)
  await sql`delete from saved`.execute(context.db)
  const queue = new SaveQueue(context.pool)
  const insert = (_id: number, name: string | null = `row ${_id}`) =>
    queue.save({
      name: 'insert saved',
      text: 'insert into saved values ($1::integer, $2::text, pg_current_xact_id()::text) returning to_json(saved)',
      values: [_id, name],
    })
  const stored = async () => (await sql<{ _id: number; transaction: string }>`select * from saved order by _id`.execute(context.db)).rows
  return { context, queue, insert, stored }
}

test('saves that arrive while another is written share a transaction, and each gets its row', async () => {
  const { insert, stored } = await startQueue()
  const rows = await Promise.all([1, 2, 3, 4].map((_id) => insert(_id)))
  expect(rows.map((row) => (JSON.parse(row ?? '') as { name: string }).name)).toEqual(['row 1', 'row 2', 'row 3', 'row 4'])
  const [first, ...others] = (await stored()).map(({ transaction }) => transaction)
  expect(new Set(others).size).toBe(1)
  expect(others[0]).not.toBe(first)
})

test('one that PostgreSQL refuses fails alone; those that were sent with it are saved', async () => {
  const { insert, stored } = await startQueue()
  const results = await Promise.allSettled([insert(1), insert(2), insert(3, 'row 2'), insert(4)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect((await stored()).map(({ _id }) => _id)).toEqual([1, 2, 4])
})

test('a statement that changes no row resolves to undefined, whatever is saved with it', async () => {
  const { queue, insert } = await startQueue()
  const change = queue.save({ text: 'update saved set name = $1 where _id = 99 returning to_json(saved)', values: ['nobody'] })
  expect((await Promise.all([insert(1), change, insert(2)])).map((row) => row !== undefined)).toEqual([true, false, true])
})

test('if the connection is lost, it is unknown what was committed, and later saves use another connection', async () => {
  const { queue, insert, stored } = await startQueue()
  const ended = queue.save({ text: 'select to_json(pg_terminate_backend(pg_backend_pid())) where $1', values: [true] })
  const results = await Promise.allSettled([ended, insert(1)])
  expect(results[0]).toMatchObject({ status: 'rejected', reason: expect.any(CommitUnknown) as unknown })
  expect(results[1]?.status).toBe('fulfilled')
  expect((await stored()).map(({ _id }) => _id)).toEqual([1])
})

test('values of every type reach PostgreSQL', async () => {
  const { queue } = await startQueue()
  const text = 'select json_build_object($1::text, $2::text[], $3::text, $4::boolean, $5::text, $6::jsonb)'
  const row = await queue.save({ text, values: ['names', ['Ana "A", {B}', 'Bo'], 'yes', true, 'none', JSON.stringify({ a: [1, null] })] })
  expect(JSON.parse(row ?? '')).toEqual({ names: ['Ana "A", {B}', 'Bo'], yes: true, none: { a: [1, null] } })
})

test('a save that cannot be sent within 30 seconds is refused, each counted from when it came', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const neverConnects = { connect: () => new Promise(() => {}) } as unknown as pg.Pool
  const queue = new SaveQueue(neverConnects)
  const outcomes: string[] = []
  const save = (name: string): void =>
    void queue.save({ text: 'select 1', values: [] }).catch((error: Error) => outcomes.push(`${name} ${error.name}`))
  save('first')
  save('second')
  await vi.advanceTimersByTimeAsync(20_000)
  save('third')
  await vi.advanceTimersByTimeAsync(12_000)
  expect(outcomes).toEqual(['second AcquireTimeout'])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(outcomes).toEqual(['second AcquireTimeout', 'third AcquireTimeout'])
})
