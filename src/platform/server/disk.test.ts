import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { expect, test } from 'vitest'

import { startApp } from '../../../test/support/app.ts'
import { readServerState } from '../../features/operations/server-state/contract.ts'
import { readConfiguration } from './configuration.ts'
import { DiskWatch, getMinFreeBytes } from './disk.ts'

const GB = 1024 ** 3
const space = { free: 100 * GB, size: 1000 * GB }
/** A disk with the free space that the test sets. */
const readSpace = async () => ({ bsize: 1024, blocks: space.size / 1024, bavail: space.free / 1024 })

const watchWithLog = (folders = { DATA_DIR: '/tmp', BACKUP_DIR: '/tmp/not/there/yet' }) => {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
  const configuration = readConfiguration(folders)
  return { lines, watch: new DiskWatch({ configuration, log }, readSpace) }
}

test('1 GB should be free, or 5 % on disks of up to 20 GB', () => {
  expect([10, 100, 4000].map((size) => getMinFreeBytes(size * GB) / GB)).toEqual([1, 5, 20])
})

test('a nearly full disk is reported once, and again only after it had space', async () => {
  const { lines, watch } = watchWithLog()
  const look = async (free: number) => {
    Object.assign(space, { free: free * GB, size: 100 * GB })
    await watch.check()
  }
  await look(50)
  expect(watch.warnings).toEqual([])
  for (const free of [4.9, 4.5, 5.1]) await look(free)
  expect(lines.map(({ msg }) => msg)).toEqual(['The disk of DATA_DIR and BACKUP_DIR (/tmp) is nearly full: 4.9 GB of 100 GB are free'])
  expect(watch.warnings).toEqual(['The disk of DATA_DIR and BACKUP_DIR is nearly full'])
  await look(5.6)
  expect(watch.warnings).toEqual([])
  expect(lines.map(({ msg }) => msg).at(-1)).toBe('The disk of DATA_DIR and BACKUP_DIR has free space again')
  expect(lines).toHaveLength(2)
})

test('a disk that cannot be read is reported, and everything else works', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const watch = new DiskWatch({ configuration: readConfiguration({}), log }, () => Promise.reject(new Error('EIO')))
  await watch.check()
  expect(watch.disks).toEqual([])
  expect(lines.join()).toContain('cannot be read')
})

test('level 1 sees which disk is nearly full and how full; the health check only says that one is', async () => {
  const { context, app, as, anonymous } = await startApp()
  Object.assign(space, { free: 0.5 * GB, size: 40 * GB })
  const { watch } = watchWithLog()
  await watch.check()
  Object.assign(context, { disk: watch })
  expect(await as(1).send(readServerState)).toEqual({
    warnings: ['The disk of DATA_DIR and BACKUP_DIR (/tmp) is nearly full: 0.5 GB of 40 GB are free'],
  })
  expect((await as(2).trySend(readServerState)).statusCode).toBe(403)

  const { buildApp: makeHomeroom } = await import('../../app/app.server.ts')
  const other = await makeHomeroom({ ...context, disk: watch })
  const ready = await other.inject({ url: '/readyz', authority: '127.0.0.1:3000' })
  expect(ready.statusCode).toBe(200)
  expect(ready.json()).toEqual({ status: 'ready', warnings: ['The disk of DATA_DIR and BACKUP_DIR is nearly full'] })
  expect((await anonymous.request('GET', '/readyz')).statusCode).toBe(200)
  await other.close()
  expect(app.hasRoute({ method: 'GET', url: '/metrics' })).toBe(false)
})

test('a required folder that cannot be written is named in /readyz and, once with its path, in the log, as is its recovery', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-closed-'))
  const closed = join(folder, 'a-file')
  // Nothing can be created below a regular file, even by root.
  await writeFile(closed, '', { mode: 0o600 })
  try {
    const { lines, watch } = watchWithLog({ DATA_DIR: join(closed, 'data'), BACKUP_DIR: join(closed, 'backups') })
    Object.assign(space, { free: 100 * GB, size: 1000 * GB })
    await watch.check()
    await watch.check()
    expect(watch.warnings).toEqual(['DATA_DIR cannot be written', 'BACKUP_DIR cannot be written'])
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringContaining(`DATA_DIR (${closed}/data) cannot be written: `),
      expect.stringContaining(`BACKUP_DIR (${closed}/backups) cannot be written: `),
    ])

    const { context } = await startApp()
    const { buildApp: makeHomeroom } = await import('../../app/app.server.ts')
    const app = await makeHomeroom({ ...context, disk: watch })
    const ready = await app.inject({ url: '/readyz', authority: '127.0.0.1:3000' })
    expect(ready.json()).toEqual({ status: 'ready', warnings: ['DATA_DIR cannot be written', 'BACKUP_DIR cannot be written'] })
    await app.close()

    await rm(closed)
    await watch.check()
    expect(watch.warnings).toEqual([])
    expect(lines.slice(2).map(({ msg }) => msg)).toEqual(['DATA_DIR can be written again', 'BACKUP_DIR can be written again'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
