import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
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

const homeroom = async (
  words: readonly string[],
  path = process.env['PATH'],
  settings: NodeJS.ProcessEnv = {},
): Promise<{ code: number; printed: string }> => {
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(REPOSITORY, 'scripts/homeroom.mjs'), ...words], {
    cwd: folder,
    // Like npm's commands: without the environment file of an installation.
    env: {
      PATH: path,
      NODE_COMPILE_CACHE,
      LANG: 'C.UTF-8',
      DATA_DIR: join(folder, 'data'),
      SAMPLE: 'none',
      npm_lifecycle_event: 'test',
      ...settings,
    },
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

/** Production settings in which sign-in is not configured, and a secret is an example's. */
const WITHOUT_SIGN_IN = { NODE_ENV: 'production', PUBLIC_URL: 'https://homeroom.school.test', SECRET_KEY: 'SECRET', PORT: 'x' }

test(
  'before sign-in is configured, a database is migrated, filled, audited, backed up and restored for a drill',
  { timeout: 240_000 },
  async () => {
    await writeFile(join(folder, 'schools.csv'), 'CDSCode,School,State\n10621660000001,North School,CA\n')
    await writeFile(join(folder, 'staff.csv'), 'PersonID,FirstName,LastName\n17,Ann,Stone\n')
    await writeFile(join(folder, 'sites.csv'), '_id;City\n')
    const database = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {} })
    try {
      const expectPrinted = async (words: string[], printed: RegExp, code = 0): Promise<void> =>
        expect(await homeroom(words, undefined, WITHOUT_SIGN_IN), words.join(' ')).toEqual({
          code,
          printed: expect.stringMatching(printed),
        })
      await expectPrinted(['migrate'], /^The tables are up to date/m)
      await expectPrinted(['import', 'charters', 'schools.csv', '--dry-run'], /^Dry run: nothing was written$/m)
      await expectPrinted(['import', 'staff', 'staff.csv', '--dry-run'], /^Dry run: nothing was written$/m)
      await expectPrinted(['import', 'sheet', 'sites', 'sites.csv', '--dry-run'], /^Dry run: nothing was written$/m)
      await expectPrinted(['import', 'legacy', folder, '--dry-run'], /holds none of the old program's answers/, 1)
      await expectPrinted(['audit', 'verify'], /^Every row is as it was written$/m)
      await expectPrinted(['restore', '--drill'], /^There is no backup in .* yet; make one with "homeroom backup", or name a file\n$/, 1)
      await expectPrinted(['backup', 'all.backup'], /all\.backup: [\d,]+ rows of \d+ tables/)
      await expectPrinted(['restore', '--drill', 'all.backup'], /^The drill went well: [\d,]+ rows/m)
      await expectPrinted(['doctor'], /^WRONG configuration: PORT [^]*^ok +database: [^]*^3 things are wrong$/m, 1)
    } finally {
      await database.stop()
    }
  },
)

test.runIf(process.getuid?.() === 0)('a backup into a folder that only root can enter is refused in one line', async () => {
  const others = await createTemporaryFolder()
  await chmod(others, 0o700)
  const data = join(folder, 'service')
  await mkdir(data)
  await chown(data, 65534, 65534)
  const { code, printed } = await homeroom(['backup', join(others, 'all.backup')], undefined, { DATA_DIR: data })
  expect(code).toBe(1)
  expect(printed).toMatch(
    /^\S+all\.backup cannot be written: permission denied; name a file in a folder in which the user "\w+" can write,.*\n$/,
  )
  await removeFolder(others)
})
