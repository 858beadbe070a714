import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { type BackupLine, checkBackupFile, writeBackupFile } from './backup-file.server.ts'

async function* lines(): AsyncGenerator<BackupLine> {
  yield { head: { madeAt: new Date(0).toISOString(), migrations: [] } }
  for (let row = 0; row < 100; row++) yield { row: `{"row": ${row}}` }
}

test('concurrent backups with the same file name leave one complete file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-backup-file-'))
  const path = join(folder, 'one.backup')
  await Promise.all(Array.from({ length: 50 }, () => writeBackupFile(path, lines())))
  await checkBackupFile(path)
  expect(await readdir(folder)).toEqual(['one.backup'])
  await rm(folder, { recursive: true })
})
