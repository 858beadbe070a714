import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { REPOSITORY } from '../support/server-process.ts'
import { createDataFolder, createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'

// Runs every `homeroom` command as a program, and checks that it starts and does its main task. A whole installation is tested in deploying.test.ts.

let folder: string
beforeAll(async () => {
  folder = await createDataFolder()
})
afterAll(() => removeFolder(folder))

const homeroom = async (words: readonly string[], path = process.env['PATH']): Promise<{ code: number; printed: string }> => {
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(REPOSITORY, 'scripts/homeroom.mjs'), ...words], {
    cwd: folder,
    // Like npm's commands: without the environment file of an installation.
    env: { PATH: path, NODE_COMPILE_CACHE, LANG: 'C.UTF-8', DATA_DIR: join(folder, 'data'), SAMPLE: 'none', npm_lifecycle_event: 'test' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, printed }
}

test('every command that is listed starts and prints its usage', async () => {
  const { code, printed: usage } = await homeroom(['--help'])
  expect(code).toBe(0)
  const names = [...usage.matchAll(/^ {2}([a-z]+) {2,}/gm)].flatMap(([, name = '']) => (name === 'version' ? [] : [name]))
  expect(names.length).toBeGreaterThan(9)
  for (const name of names)
    expect(await homeroom([name, '--help']), name).toMatchObject({ code: 0, printed: expect.stringContaining(`Usage: homeroom ${name}`) })
  expect(await homeroom(['version'])).toEqual({ code: 0, printed: `homeroom ${packageJson.version}\n` })
  expect(await homeroom(['install'])).toEqual({ code: 1, printed: 'There is no command "install"; homeroom --help lists them\n' })
})

test.each([['upgrade', 'next.tar.gz'], ['rollback']])('%s outside an installation changes nothing and says why', async (...words) => {
  expect(await homeroom(words)).toMatchObject({ code: 1, printed: expect.stringMatching(/is not an installed release/) })
})

test('restart asks systemd which servers run', async () => {
  const programs = await createTemporaryFolder()
  await writeFile(join(programs, 'systemctl'), '#!/bin/sh\n', { mode: 0o755 })
  expect(await homeroom(['restart'], programs)).toEqual({ code: 0, printed: expect.stringMatching(/^No server runs; start one with /) })
  await removeFolder(programs)
})

test('a database is migrated, inspected by the doctor, audited, backed up and restored for a drill', async () => {
  const database = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {} })
  try {
    const expectPrinted = async (words: string[], printed: RegExp): Promise<void> =>
      expect(await homeroom(words), words.join(' ')).toEqual({ code: 0, printed: expect.stringMatching(printed) })
    await expectPrinted(['migrate'], /^The tables are up to date/m)
    await expectPrinted(['doctor'], /^ok +database: [^]*^Nothing is wrong$/m)
    await expectPrinted(['audit', 'verify'], /^Every row is as it was written$/m)
    await expectPrinted(['backup', 'all.backup'], /all\.backup: [\d,]+ rows of \d+ tables/)
    await expectPrinted(['restore', '--drill', 'all.backup'], /^The drill went well: [\d,]+ rows/m)
  } finally {
    await database.stop()
  }
})
