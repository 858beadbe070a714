import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { files, HEADER, isDatabaseRunning, listCharterIds, runImport, withDatabase } from './import-program.ts'

// An import while a server runs, and one that is stopped before it has written everything.

beforeAll(async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `L${n},School ${n},Open,Austin,TX`)
  await writeFile(join(files, 'large.csv'), [HEADER, ...rows].join('\n'))
})

test('while the server runs, an import uses its database and leaves it running', async () => {
  await withDatabase(async (client) => {
    await client.query('listen homeroom_record')
    // A notification begins with the name of its table.
    const changedTables: string[] = []
    client.on('notification', ({ payload = '' }) => changedTables.push(payload.split(' ', 1)[0] ?? ''))
    const { code, err } = await runImport(['charters', 'two.csv', '--region', 'Texas'])
    expect([code, err]).toEqual([0, ''])
    const { rows } = await client.query<{ count: number }>("select count(*)::int as count from site where directory_id in ('01', '02')")
    expect(rows).toEqual([{ count: 2 }])
    expect(changedTables).toEqual(expect.arrayContaining(['charter', 'site']))
  })
  expect(await isDatabaseRunning()).toBe(false)
})

test('an import that is killed while it writes has written nothing, and the next one succeeds', async () => {
  let killed = false
  await runImport(['charters', 'large.csv'], {}, (printed, child) => {
    if (!killed && printed.includes('Writing:')) killed = child.kill('SIGKILL')
  })
  expect(killed).toBe(true)
  expect(await listCharterIds('L%')).toEqual([])
  const { code } = await runImport(['charters', 'two.csv'])
  expect(code).toBe(0)
  expect(await isDatabaseRunning()).toBe(false)
})

test('an import stopped with Ctrl C while it writes has written nothing and stops the database it started', async () => {
  let stopped = false
  const { code, err } = await runImport(['charters', 'large.csv'], {}, (printed, child) => {
    if (!stopped && printed.includes('Writing:')) stopped = child.kill('SIGINT')
  })
  expect([stopped, code, err]).toEqual([true, 1, 'Stopped; nothing was written\n'])
  expect(await isDatabaseRunning()).toBe(false)
  expect(await listCharterIds('L%')).toEqual([])
})
