import { setTimeout as pause } from 'node:timers/promises'

import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'

import type { SheetPreview } from '../../../src/features/exchange/sheets/contract.ts'
import { readMemoryMegabytes } from '../../support/process-memory.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { type SignedInUser, signInAt } from '../../support/sessions.ts'

export interface LargeSheetFigures {
  readonly previewSeconds: number
  readonly applySeconds: number
  readonly undoSeconds: number
  /** The process's memory above its idle level. */
  readonly megabytesOverIdle: number
  /** The 95th percentile of other reads, in milliseconds. */
  readonly readsIdleMs: number
  readonly readsDuringPreviewMs: number
  readonly readsDuringApplyMs: number
  readonly changed: number
  readonly undone: number
}

const COLUMNS = 40
const LEADING = 3
const SAMPLE_MS = 50
/** The pause between two reads: short enough for a percentile during a preview of two seconds. */
const READ_PAUSE_MS = 5

/** Charters with affairs in which many fields are filled. */
const fillNetwork = async ({ db }: TestServer, rows: number): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into charter select (jsonb_populate_record(null::charter, to_jsonb(c) ||
        jsonb_build_object('_id', 'charter-' || n, 'slug', 'many-charter-' || n, 'name', 'Many charter ' || n))).*
      from (select * from charter limit 1) as c, generate_series(1, ${rows}) as n`.execute(tx)
    await sql`
      insert into charter_affair (charter, overview)
      select 'charter-' || n, (select jsonb_object_agg(name, 'Text ' || n || ' of ' || name) from unnest(${OVERVIEW}::text[]) as name)
      from generate_series(1, ${rows}) as n`.execute(tx)
  })
  await sql`analyze`.execute(db)
}
const OVERVIEW = ['charter_type', 'charter_number', 'cds_code', 'corporation', 'fein', 'county', 'superintendent', 'authorizer', 'notes', 'dass', 'principal', 'regional', 'area_sup', 'mou', 'oversight_date', 'fy_audit', 'funding_term', 'active_petition', 'cde_address', 'authorizer_email'] // prettier-ignore

/** The number of charters that the server has loaded after direct writes. */
const countCharters = async ({ url }: TestServer, { headers }: SignedInUser): Promise<number> =>
  ((await (await fetch(`${url}/locations-api/charters_pop`, { headers })).json()) as unknown[]).length

/** Requests the regions repeatedly while something runs; returns the 95th percentile of the response time. */
const measureReads = async (server: TestServer, { headers }: SignedInUser, work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  const over = new AbortController()
  const running = work().finally(() => over.abort())
  do {
    const from = performance.now()
    const response = await fetch(`${server.url}/locations-api/regions`, { headers })
    await response.arrayBuffer()
    times.push(performance.now() - from)
    await pause(READ_PAUSE_MS)
  } while (!over.signal.aborted)
  await running
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0
}

/** Downloads, edits, previews, applies and undoes a sheet with this many rows on a separate server. */
export const measureLargeSheet = async (rows: number, changedCells: number): Promise<LargeSheetFigures> => {
  const server = await startServer()
  try {
    await fillNetwork(server, rows)
    const user = await signInAt(server, 5)
    const post = async <T>(path: string, body?: BodyInit, type?: string): Promise<T> => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { ...user.headers, ...(type === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 1000)}`)
      return (await response.json()) as T
    }
    for (let known = 0; known < rows; known = await countCharters(server, user)) await pause(SAMPLE_MS)
    const download = await fetch(`${server.url}/api/sheets/charter_affairs`, { headers: user.headers })
    const [sheet] = (await readXlsx(new Uint8Array(await download.arrayBuffer()))).sheets
    const edited = sheet!.rows.map((cells, row) =>
      cells
        .slice(0, LEADING + COLUMNS)
        .map((cell, at) => (row > 0 && at >= LEADING && at < LEADING + changedCells ? `Changed ${row} of ${at}` : cell)),
    )
    const form = new FormData()
    form.set('file', new Blob([Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows: edited }] }))]), 'large.xlsx')
    const readsIdleMs = await measureReads(server, user, () => pause(3000))
    const idle = readMemoryMegabytes(server.program.child.pid)
    let most = idle
    const sampling = setInterval(() => (most = Math.max(most, readMemoryMegabytes(server.program.child.pid))), SAMPLE_MS)
    const time = async <T>(work: () => Promise<T>): Promise<{ seconds: number; result: T; readsMs: number }> => {
      const from = performance.now()
      let result: T | undefined
      let seconds = 0
      const readsMs = await measureReads(server, user, async () => {
        result = await work()
        seconds = (performance.now() - from) / 1000
      })
      return { seconds, result: result as T, readsMs }
    }
    const preview = await time(() => post<SheetPreview>('/api/sheets/charter_affairs/preview', form))
    const apply = await time(() =>
      post<{ changeset: { _id: string }; changed: number }>(
        `/api/sheets/preview/${preview.result._id}/apply`,
        JSON.stringify({ warningsAccepted: true }),
        'application/json',
      ),
    )
    clearInterval(sampling)
    const undo = await time(() => post<{ changed: number }>(`/api/changesets/${apply.result.changeset._id}/undo`, '{}', 'application/json'))
    return {
      previewSeconds: preview.seconds,
      applySeconds: apply.seconds,
      undoSeconds: undo.seconds,
      megabytesOverIdle: most - idle,
      readsIdleMs,
      readsDuringPreviewMs: preview.readsMs,
      readsDuringApplyMs: apply.readsMs,
      changed: apply.result.changed,
      undone: undo.result.changed,
    }
  } finally {
    await server.stop()
  }
}
