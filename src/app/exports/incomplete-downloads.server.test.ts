import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { readWorkbook } from '../../../test/support/workbooks.ts'
import { downloads, type ExportKind, listDownloads, previews } from './contract.ts'

describe('a download that does not complete', () => {
  let app: TestApp
  /** A network whose workbook is larger than the buffers between a server and a client that reads nothing. */
  beforeAll(async () => {
    app = await startApp()
    await app.make.write(async (tx) => {
      await sql`insert into site (slug, "displayName") select 'large-' || n, 'Large ' || n from generate_series(1, 1000) as n`.execute(tx)
      await sql`update facility set fac_notes = (select string_agg(md5(facility.site::text || n), '') from generate_series(1, 600) as n)`.execute(
        tx,
      )
    })
    await app.app.listen({ host: '127.0.0.1', port: 0 })
  })

  /** Requests a file, and reads only its beginning. */
  const begin = async (
    caller = app.as(10),
    kind: ExportKind = 'facilities',
  ): Promise<{ download: ClientRequest; response: IncomingMessage }> => {
    const headers = await caller.headers()
    const address = app.app.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    return new Promise((resolve, reject) => {
      const download = request({ host: '127.0.0.1', port, path: downloads[kind].path, headers }, (response) => {
        response.once('readable', () => resolve({ download, response }))
      })
      download.on('error', reject).end()
    })
  }
  const lastOutcome = async () => (await app.as(1).send(listDownloads))[0]?.outcome
  const inUse = () => app.context.pool.totalCount - app.context.pool.idleCount

  test('releases its connection once the file is complete, whether or not the client reads it', async () => {
    const { download, response } = await begin()
    expect(response.statusCode).toBe(200)
    expect(await lastOutcome()).toBeNull()
    await expect.poll(inUse, { timeout: 20_000 }).toBe(0)
    expect(await lastOutcome()).toBeNull()
    download.on('error', () => {})
    download.destroy()
    await expect.poll(lastOutcome).toBe('broken off')
    expect((await app.as(10).send(previews.facilities)).rows).toBe(1000)
  })

  test('is not a valid workbook if the database connection is lost, and the server continues', async () => {
    const got: Buffer[] = []
    const readToEnd = (response: IncomingMessage) =>
      new Promise<string>((resolve) => {
        response.on('data', (bytes: Buffer) => got.push(bytes))
        response.on('end', () => resolve('end'))
        response.on('error', () => resolve('error'))
      })
    const ended = await app.context.db.transaction().execute(async (tx) => {
      // The second sheet waits for this table: the file is not complete when the connection is ended.
      await sql`lock table authorizer_board_member in access exclusive mode`.execute(tx)
      const { download, response } = await begin(app.as(1), 'charter_affairs')
      download.on('error', () => {})
      const reading = readToEnd(response)
      await waitUntil('the connection that reads the second sheet is ended', async () => {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
        return rows.length > 0
      })
      return await reading
    })
    expect(ended).toBe('error')
    await expect(readWorkbook(Buffer.concat(got))).rejects.toThrow(Error)
    await expect.poll(inUse).toBe(0)
    await expect.poll(lastOutcome).toBe('failed')
  })

  test('does not delay other accounts while its own account does not read it', async () => {
    const stuck = app.as(10)
    const held = await Promise.all([begin(stuck), begin(stuck)])
    const third = begin(stuck)
    const { rawPayload, statusCode } = await app.as(10).trySend(downloads.finance)
    expect([statusCode, (await readWorkbook(rawPayload))[0]?.rows.length]).toEqual([200, 1000])
    expect(await Promise.race([third.then(() => 'came'), new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).toBe('waits')
    held[0]?.download.destroy()
    held.push(await third)
    for (const { download } of held) download.destroy()
    await expect.poll(lastOutcome).toBe('broken off')
  })

  test('is one of a few that are queued per account; further requests are refused with Retry-After', async () => {
    const stuck = app.as(10)
    const held = [await begin(stuck), await begin(stuck)]
    const headers = await stuck.headers()
    const others = Array.from({ length: 20 }, () => stuck.request('GET', downloads.finance.path, { headers }))
    const refused: string[] = []
    for (const other of others)
      void other.then(({ statusCode, headers: { 'retry-after': after } }) => refused.push(`${statusCode} ${String(after)}`))
    await expect.poll(() => refused).toEqual(Array.from({ length: 12 }, () => '429 10'))
    for (const { download } of held) download.destroy()
    const answers = (await Promise.all(others)).map(({ statusCode }) => statusCode)
    expect(answers.filter((status) => status === 200)).toHaveLength(8)
    expect(answers.filter((status) => status === 429)).toHaveLength(12)
  })
})

test('a database that does not respond is a problem response, not a workbook', async () => {
  const app = await startApp()
  await sql`alter table facility rename to elsewhere`.execute(app.context.db)
  const response = await app.as(10).trySend(downloads.facilities)
  expect(response.statusCode).toBe(500)
  expect(response.headers['content-type']).toContain('application/problem+json')
  expect(response.headers['content-disposition']).toBeUndefined()
  expect(await app.as(1).send(listDownloads)).toEqual([])
  await expect.poll(() => app.context.pool.totalCount - app.context.pool.idleCount).toBe(0)
})
