import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { createFolders, assertWritable } from './folders.ts'

const folder = await mkdtemp(join(tmpdir(), 'homeroom-folders-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('two hundred concurrent starts create and check one folder without affecting each other', async () => {
  const path = join(folder, 'a', 'b', 'data')
  const start = async (): Promise<void> => {
    await createFolders(path)
    await assertWritable(path)
  }
  await Promise.all(Array.from({ length: 200 }, start))
  expect(await readdir(path)).toEqual([])
})

test('a folder that cannot be created or written is reported', async () => {
  await expect(createFolders('/proc/homeroom')).rejects.toThrow(/no such|permitted|denied/i)
  await expect(assertWritable('/proc/self')).rejects.toThrow(/no such|permitted|denied/i)
})
