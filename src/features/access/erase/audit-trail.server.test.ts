import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { chainAuditEvents, selectChainedEvents, toChainedEvent } from '../../../platform/server/audit-chain.ts'
import { digestEvent, resealRedactions } from '../../../platform/server/audit-redaction.ts'
import { verifyAuditTrail } from '../../../platform/server/audit-verification.ts'
import { getSystemActor, recordAudit } from '../../../platform/server/audit.ts'
import { saveSettings } from '../../../records/settings/contract.ts'
import { erase } from './contract.ts'

const KEY = 'the key of a server, which no database has'
describe('the audit trail', () => {
  const setUp = async () => {
    const app = await startApp({ SECRET_KEY: KEY })
    const { db } = app.context
    const person = await app.make.person({ name: 'Petra Lindqvist', email: 'petra@network.test' })
    await app.make.permission({
      applicationID: app.context.configuration.appId,
      azureID: 'petra@network.test',
      name: 'Petra Lindqvist',
      person: person._id,
      accessLevel: 6,
    })
    const admin = app.as(1)
    await admin.send(saveSettings, { body: { supportRequestsTo: ['petra@network.test'] } })
    await admin.send(saveSettings, { body: { supportRequestsTo: ['desk@network.test'] } })
    await chainAuditEvents(app.context)
    await admin.send(erase, { body: { kind: 'person', _id: person._id, reason: 'Asked' } })
    await chainAuditEvents(app.context)
    const verify = (keys: object = { secretKey: KEY }) => verifyAuditTrail(db, undefined, keys)
    /** As the owner of the database, who can do anything there. */
    const forge = async (work: () => Promise<unknown>) => {
      await sql`alter table audit_event disable trigger user`.execute(db)
      await work()
      await sql`alter table audit_event enable trigger user`.execute(db)
    }
    const redacted = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('kind', '=', 'settings.changed')
      .orderBy('_id')
      .executeTakeFirstOrThrow()
    return { ...app, db, admin, verify, forge, redacted }
  }

  test('a row that is changed after its erasure is found', async () => {
    const { db, verify, forge, redacted } = await setUp()
    expect(await verify()).toMatchObject({ defects: [], redacted: { rows: 2, isSealed: true } })
    const change = (name: string) => forge(() => db.updateTable('audit_event').set({ name }).where('_id', '=', redacted._id).execute())
    await change('Mallory')
    expect((await verify()).defects).toEqual([`Row ${redacted.sequence} was changed`])
    await change(redacted.name ?? '')
    expect((await verify()).defects).toEqual([])
  })

  test('the owner of the database cannot pass a change off as an erasure', async () => {
    const { db, verify, forge, context, redacted } = await setUp()
    const victim = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('kind', '=', 'settings.changed')
      .orderBy('_id', 'desc')
      .executeTakeFirstOrThrow()
    await forge(() => db.updateTable('audit_event').set({ name: 'Mallory' }).where('_id', '=', victim._id).execute())
    const [event] = (await selectChainedEvents(db).where('_id', '=', victim._id).execute()).map(toChainedEvent)
    const rows = [[victim.sequence, event && digestEvent(event)]]
    const [first] = await db.selectFrom('audit_event').select('after').where('kind', '=', 'audit.redacted').execute()
    for (const given of [null, '0'.repeat(64), first?.after?.['seal']]) {
      await recordAudit(db, getSystemActor('Homeroom'), { kind: 'audit.redacted', after: { erasure: 1, rows, seal: given } })
      await chainAuditEvents(context)
      const { defects } = await verify()
      expect(defects).toEqual([expect.stringContaining(`Row ${victim.sequence} was changed: row`)])
    }
    // Without the key it is not proved, and said so.
    expect(await verify({})).toMatchObject({ defects: [], redacted: { isSealed: false } })
    expect(redacted.sequence).toBeLessThan(victim.sequence ?? 0)
  })

  test('PostgreSQL refuses changes of rows without an erasure, and of what is not personal with one', async () => {
    const { db, redacted } = await setUp()
    const change = (values: object, isErasing: boolean) =>
      db.transaction().execute(async (tx) => {
        if (isErasing) await sql`select set_config('homeroom.erasing', 'yes', true)`.execute(tx)
        await tx.updateTable('audit_event').set(values).where('_id', '=', redacted._id).execute()
      })
    await expect(change({ name: 'Mallory' }, false)).rejects.toThrow('cannot be changed')
    for (const values of [{ kind: 'sign_in.failed' }, { at: new Date() }, { account: null }, { record: 'x' }])
      await expect(change(values, true)).rejects.toThrow('cannot be changed')
  })

  test('is verified with a new SECRET_KEY once it was sealed with it', async () => {
    const { db, context, verify } = await setUp()
    const [next, both] = [
      'another key of thirty-two characters',
      { secretKey: 'another key of thirty-two characters', secretKeyPrevious: KEY },
    ]
    expect((await verify({ secretKey: next })).defects).toHaveLength(2)
    expect((await verify(both)).defects).toEqual([])
    await resealRedactions(db, both)
    await chainAuditEvents(context)
    expect(await verify({ secretKey: next })).toMatchObject({ defects: [], redacted: { rows: 2, isSealed: true } })
    const count = async () => (await db.selectFrom('audit_event').select('_id').where('kind', '=', 'audit.redacted').execute()).length
    const before = await count()
    await resealRedactions(db, both)
    await chainAuditEvents(context)
    expect(await count()).toBe(before)
  })
})
