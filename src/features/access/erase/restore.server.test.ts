import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { withPrivateDatabase } from '../../../../test/support/database.ts'
import { createUsedPerson, searchFiles, searchTables } from '../../../../test/support/erased-person.ts'
import { createBackup } from '../../../backup/backup.server.ts'
import { restoreCommand } from '../../../backup/command.server.ts'
import { chainAuditEvents } from '../../../platform/server/audit-chain.ts'
import { verifyAuditTrail } from '../../../platform/server/audit-verification.ts'
import { auditCommand } from '../../operations/audit/command.server.ts'
import { erase } from './contract.ts'

const KEY = 'the key of a server, which no database has'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-erase-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const restoreInto = async (dataDir: string, backup: string, backupDir: string) => {
  const output = { out: '', err: '' }
  const into = (name: 'out' | 'err') => ({ write: (text: string) => (output[name] += text) })
  const environment = { DATA_DIR: dataDir, BACKUP_DIR: backupDir, SECRET_KEY: KEY, SAMPLE: 'none' }
  const code = await restoreCommand([backup], { environment, out: into('out'), err: into('err') })
  return { code, ...output }
}

test('a backup that is older than an erasure is restored without the person, and the audit trail is verified', async () => {
  const app = await startApp({ SECRET_KEY: KEY, BACKUP_DIR: folder, TIME_ZONE: 'UTC' })
  const { admin, person } = await createUsedPerson(app)
  await chainAuditEvents(app.context)
  const backup = join(folder, 'older.backup')
  await createBackup(app.context.db, backup)
  const { backups } = await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
  const days = (Date.parse(backups.until ?? '') - Date.now()) / 86_400_000
  expect([backups.kept, Math.ceil(days)]).toEqual([7, 7])
  expect(JSON.parse(await readFile(join(folder, 'erasures.json'), 'utf8'))).toEqual([
    { number: 1, kind: 'person', _id: person._id, reason: 'Asked' },
  ])
  // Only the backup still has them, compressed.
  expect(await searchFiles(folder)).toEqual([])

  const restored = join(folder, 'restored')
  expect(await restoreInto(restored, backup, folder)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('1 record was erased again'),
  })
  await withPrivateDatabase(join(restored), async (db) => {
    expect(await searchTables(db)).toEqual([])
    expect(await db.selectFrom('person').select(['name', 'email', 'phone']).where('_id', '=', person._id).executeTakeFirst()).toEqual({
      name: 'Erased person 1',
      email: null,
      phone: null,
    })
    await chainAuditEvents({ db, configuration: app.context.configuration, log: app.context.log })
    expect(await verifyAuditTrail(db, undefined, { secretKey: KEY })).toMatchObject({ defects: [], redacted: { erasures: [1] } })
  })
  const audit = async (environment: Record<string, string>) => {
    const lines: string[] = []
    const out = { write: (text: string) => lines.push(text) }
    return [await auditCommand(['verify'], { environment: { DATA_DIR: restored, ...environment }, out, err: out }), lines.join('')]
  }
  expect(await audit({ SECRET_KEY: KEY })).toEqual([0, expect.stringMatching(/\d+ rows lost personal data, as erasure 1 says\n/)])
  expect(await audit({})).toEqual([0, expect.stringContaining('without the SECRET_KEY of the server this is not proved')])
  expect(await audit({ SECRET_KEY: 'a key that someone else has chosen' })).toEqual([
    1,
    expect.stringContaining('is not sealed with this SECRET_KEY'),
  ])
}, 120_000)

test('a damaged list of erasures is refused before anything is restored', async () => {
  const app = await startApp()
  const [backup, lists] = [join(folder, 'other.backup'), join(folder, 'lists')]
  await createBackup(app.context.db, backup)
  await writeFile(join(folder, 'erasures.json'), '[{"number": 0}]')
  expect(await restoreInto(join(folder, 'never'), backup, lists)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not a list of erasures'),
  })
}, 60_000)
