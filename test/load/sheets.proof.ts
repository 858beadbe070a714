// The largest sheets: 10,000 rows of 40 columns with three changed cells per row, and 4,000 with all changed, previewed, saved and undone while others read.
import { setTimeout as pause } from 'node:timers/promises'

import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'

import type { SheetPreview } from '../../src/features/changing/sheets/contract.ts'
import { fetchJson, toRequest } from '../support/api-client.ts'
import { createFileForm } from '../support/http-requests.ts'
import { getPercentile } from '../support/percentile.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { runProof } from '../support/proof.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { signInAt } from '../support/sessions.ts'

const ROWS = 10_000
const COLUMNS = 40
const CHANGED_CELLS = 3
/** With all cells changed, close to the limit. */
const CHANGED_ROWS = 4000
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

/** Runs work while others read; returns its result and seconds, and the 95th percentile of the reads' response times in milliseconds. */
const measureWithReads = async <T>(read: () => Promise<Response>, work: () => Promise<T>) => {
  const from = performance.now()
  const over = new AbortController()
  const running = work().finally(() => over.abort((performance.now() - from) / 1000))
  const times: number[] = []
  do {
    const readAt = performance.now()
    await (await read()).arrayBuffer()
    times.push(performance.now() - readAt)
    await pause(READ_PAUSE_MS)
  } while (!over.signal.aborted)
  return { result: await running, seconds: over.signal.reason as number, readsMs: getPercentile(times, 0.95) }
}

/** Downloads, edits, previews, applies and undoes a sheet with this many rows on a separate server. */
export const measureLargeSheet = async (rows: number, changedCells: number) => {
  await using server = await startServer()
  await fillNetwork(server, rows)
  const { headers } = await signInAt(server, 5)
  const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`, { headers })
  const post = <T>(path: string, body: unknown): Promise<T> => fetchJson(`${server.url}${path}`, toRequest('POST', headers, body))
  const measure = <T>(work: () => Promise<T>) => measureWithReads(() => get('/locations-api/regions'), work)
  // The charters that were written directly.
  const countLoaded = async (): Promise<number> => ((await (await get('/locations-api/charters_pop')).json()) as unknown[]).length
  while ((await countLoaded()) < rows) await pause(SAMPLE_MS)

  const download = await get('/api/sheets/charter_affairs')
  const [sheet] = (await readXlsx(new Uint8Array(await download.arrayBuffer()))).sheets
  const isChanged = (row: number, at: number): boolean => row > 0 && at >= LEADING && at < LEADING + changedCells
  const edited = sheet!.rows.map((cells, row) =>
    cells.slice(0, LEADING + COLUMNS).map((cell, at) => (isChanged(row, at) ? `Changed ${row} of ${at}` : cell)),
  )
  const file = new File([Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows: edited }] }))], 'large.xlsx')
  const idle = await measure(() => pause(3000))
  const idleMegabytes = readMemoryMegabytes(server.program.child.pid)
  let most = idleMegabytes
  const sampling = setInterval(() => (most = Math.max(most, readMemoryMegabytes(server.program.child.pid))), SAMPLE_MS)
  const preview = await measure(() => post<SheetPreview>('/api/sheets/charter_affairs/preview', createFileForm(file)))
  const applyPath = `/api/sheets/preview/${preview.result._id}/apply`
  const apply = await measure(() => post<{ changeset: { _id: string }; changed: number }>(applyPath, { warningsAccepted: true }))
  clearInterval(sampling)
  const undo = await measure(() => post<{ changed: number }>(`/api/changesets/${apply.result.changeset._id}/undo`, {}))
  const { changed } = apply.result
  return { idle, preview, apply, undo, megabytesOverIdle: most - idleMegabytes, changed, undone: undo.result.changed }
}

if (import.meta.main)
  await runProof('sheets', async ({ report, expectEqual, expectAtMost }) => {
    const { idle, preview, apply, undo, ...figures } = await measureLargeSheet(ROWS, CHANGED_CELLS)
    report('Rows, columns, changed cells of each row', `10,000, 40, ${CHANGED_CELLS}`)
    // The row of the charter that the others were copied from is changed as well.
    expectEqual('Rows that were changed', figures.changed, ROWS + 1)
    expectEqual('Rows restored by the undo', figures.undone, ROWS + 1)
    expectAtMost('Preview', preview.seconds, 5, 's')
    expectAtMost('Saving', apply.seconds, 20, 's')
    report('Undo', `${undo.seconds.toFixed(2)} s`)
    expectAtMost('Memory above idle', Math.round(figures.megabytesOverIdle), 150, 'MB')
    report('Reads of others, 95th percentile, before', `within ${idle.readsMs.toFixed(1)} ms`)
    report('The same during the preview', `within ${preview.readsMs.toFixed(1)} ms`)
    report('The same during the saving', `within ${apply.readsMs.toFixed(1)} ms`)
    const all = await measureLargeSheet(CHANGED_ROWS, COLUMNS)
    expectEqual('Rows that were changed, of a file in which every cell changed', all.changed, CHANGED_ROWS + 1)
    report('Its preview, with 160,000 cells', `${all.preview.seconds.toFixed(2)} s`)
    report('Its saving', `${all.apply.seconds.toFixed(2)} s`)
    report('Its memory above idle', `${Math.round(all.megabytesOverIdle)} MB`)
  })
