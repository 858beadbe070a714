import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readConfiguration } from '../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../platform/server/database.ts'
import { backupCommand, restoreCommand } from './command.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-move-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command and returns its output and exit code. */
const run = async (command: typeof backupCommand, words: readonly string[], environment: Record<string, string>) => {
  const output = { out: '', err: '' }
  const into = (name: 'out' | 'err') => ({ write: (text: string) => (output[name] += text) })
  return { code: await command(words, { environment, out: into('out'), err: into('err') }), ...output }
}

test('a private database moves to another folder with two commands; a second restore is refused because the folder is not empty', async () => {
  const [here, there] = [{ DATA_DIR: join(folder, 'here') }, { DATA_DIR: join(folder, 'there') }]
  const open = (environment: Record<string, string>) =>
    openConfiguredDatabase(readConfiguration({ ...environment, SAMPLE: 'none' }), 'guest', () => {})
  const before = await open(here)
  await before.db.insertInto('person').values({ slug: 'ada', name: 'Ada', email: 'ada@network.test' }).execute()

  const made = await run(backupCommand, [], here)
  expect(made).toMatchObject({ code: 0, err: '' })
  const [name = ''] = await readdir(join(folder, 'here', 'backups'))
  expect(made.out).toMatch(/homeroom-\d{4}-\d\d-\d\d-\d{6}\.backup: \d+ rows of \d+ tables, \d+ KB\n$/)
  const file = join(folder, 'here', 'backups', name)
  await before.stop()

  expect(await run(restoreCommand, [file], there)).toMatchObject({ code: 0, err: '' })
  const after = await open(there)
  expect(await after.db.selectFrom('person').select(['slug', 'name', 'version']).execute()).toEqual([
    { slug: 'ada', name: 'Ada', version: 1 },
  ])
  await after.stop()
  expect(await run(restoreCommand, [file], there)).toMatchObject({
    code: 1,
    err: 'This place is not empty; restore into a new one (another DATA_DIR, or another database)\n',
  })
}, 120_000)

test('a backup that cannot be restored is reported in one line, and nothing is created', async () => {
  const nowhere = { DATA_DIR: join(folder, 'nowhere') }
  const broken = join(folder, 'broken.backup')
  await writeFile(broken, 'HOMEROOM BACKUP 1\ncut')
  for (const [words, message] of [
    [[], 'Name the backup’s file: homeroom restore FILE\n'],
    [[join(folder, 'none.backup')], `${join(folder, 'none.backup')} does not exist\n`],
    [[broken], 'The backup is cut off\n'],
  ] as const)
    expect(await run(restoreCommand, words, nowhere)).toMatchObject({ code: 1, out: '', err: message })
  expect((await readdir(folder)).includes('nowhere')).toBe(false)
})

test('an encrypted backup is an OpenSSL file; it is restored and verified with only its passphrase', async () => {
  const BACKUP_PASSPHRASE = 'hT7/0Vb1qWk2+Zx9LmP4sRyEuC8jNaFd'
  const here = { DATA_DIR: join(folder, 'encrypted'), BACKUP_PASSPHRASE }
  const plain = join(folder, 'plain.backup')
  expect(await run(backupCommand, [join(folder, 'sealed.backup')], here)).toMatchObject({ code: 0, err: '' })
  const file = join(folder, 'sealed.backup.enc')
  expect((await readFile(file)).includes('HOMEROOM')).toBe(false)

  const drill = await run(restoreCommand, ['--drill', file], here)
  expect(drill).toMatchObject({ code: 0, err: '' })
  expect(drill.out).toMatch(/^The drill went well: [\d,]+ rows of \d+ tables of .*sealed\.backup\.enc were restored and counted in /)
  const words = ['enc', '-d', '-aes-256-cbc', '-pbkdf2', '-iter', '600000', '-in', file, '-out', plain, '-pass', 'env:BACKUP_PASSPHRASE']
  const { status } = spawnSync('openssl', words, { env: { PATH: process.env['PATH'], BACKUP_PASSPHRASE } })
  expect(status).toBe(0)
  expect(await run(restoreCommand, ['--drill', plain], { DATA_DIR: here.DATA_DIR })).toMatchObject({ code: 0, err: '' })

  const otherFolder = { DATA_DIR: join(folder, 'elsewhere') }
  const without = 'The backup is encrypted; set BACKUP_PASSPHRASE to the one it was made with\n'
  expect(await run(restoreCommand, [file], otherFolder)).toMatchObject({ code: 1, err: without })
  const other = { ...otherFolder, BACKUP_PASSPHRASE: BACKUP_PASSPHRASE.toLowerCase() }
  expect((await run(restoreCommand, [file], other)).err).toMatch(/^The backup cannot be decrypted: BACKUP_PASSPHRASE is not the one/)
  expect(await readdir(folder)).not.toContain('elsewhere')
}, 120_000)

test('a drill without a backup reports that there is none', async () => {
  const nowhere = { DATA_DIR: join(folder, 'nowhere') }
  expect((await run(restoreCommand, ['--drill'], nowhere)).err).toMatch(
    /^There is no backup in .*nowhere\/backups yet; make one with "homeroom backup", or name a file\n$/,
  )
})
