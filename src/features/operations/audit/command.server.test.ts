import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { chainAuditEvents } from '../../../platform/server/audit-chain.ts'
import { getSystemActor, recordAudit } from '../../../platform/server/audit.ts'
import { readConfiguration } from '../../../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../../platform/server/database.ts'
import { auditCommand } from './command.server.ts'

/** Runs the command and returns its output and exit code. */
const run = async (words: readonly string[], environment: Record<string, string>) => {
  const output = { out: '', err: '' }
  const into = (name: 'out' | 'err') => ({ write: (text: string) => (output[name] += text) })
  return { code: await auditCommand(words, { environment, out: into('out'), err: into('err') }), ...output }
}

test('a wrong argument is reported in one line', async () => {
  const see = 'see homeroom audit --help\n'
  expect(await run([], {})).toEqual({ code: 1, out: '', err: `Name what to do: audit verify; ${see}` })
  expect(await run(['verify', '--expect', '7'], {})).toEqual({ code: 1, out: '', err: `--expect takes SEQUENCE:HASH; ${see}` })
})

test('verifies the trail of an installation, and exits with 1 if a row was changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-audit-'))
  const environment = { DATA_DIR: folder }
  const configuration = readConfiguration({ ...environment, SAMPLE: 'none' })
  const { db, stop } = await openConfiguredDatabase(configuration, 'guest', () => {})
  try {
    await recordAudit(db, getSystemActor('A test'), { kind: 'settings.changed' }, { kind: 'settings.changed' })
    await chainAuditEvents({ db, configuration, log: undefined as never })
    const whole = await run(['verify'], environment)
    expect(whole).toMatchObject({ code: 0, err: '', out: expect.stringContaining('2 rows checked\nLast row: 2:') })
    const [, noted = ''] = /Last row: (\S+)/.exec(whole.out) ?? []
    expect(await run(['verify', '--expect', noted], environment)).toMatchObject({ code: 0 })
    await sql`alter table audit_event disable trigger user`.execute(db)
    await sql`update audit_event set actor = 'x' where sequence = 1`.execute(db)
    expect(await run(['verify'], environment)).toMatchObject({ code: 1, err: 'Row 1 was changed\n' })
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
})
