import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { loadSample } from '../../../sample/load.server.ts'
import { startApp, type TestApp } from '../../../test/support/app.ts'
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts'
import { createTemporaryFolder, removeFolder } from '../../../test/support/temporary-folder.ts'
import { readUser } from '../../features/access/session/contract.ts'
import { listCharters } from '../../records/charters/contract.ts'
import { readSettings, saveSettings } from '../../records/settings/contract.ts'
import { readCounts } from '../home/contract.ts'
import { readFindings, readSetup, removeSample, saveSetupStep, sendTestMail } from './contract.ts'
import { REMOVAL_WORDS, SETUP_STEPS } from './rules.ts'

const stateOf = (setup: { steps: readonly { name: string; state: string }[] }, name: string) =>
  setup.steps.find((step) => step.name === name)?.state

describe('the setup of an empty program', () => {
  test('has five open steps, which are done by what is there, and skipped otherwise', async () => {
    const app = await startApp()
    const admin = app.as(1)
    const empty = await admin.send(readSetup)
    expect(empty.steps).toEqual(SETUP_STEPS.map((name) => ({ name, state: 'open' })))
    expect(empty).toMatchObject({ isEmpty: true, isBegun: false, sample: null, administrators: 0 })

    const skipped = await admin.send(saveSetupStep, { params: { step: 'mail' }, body: { state: 'skipped' } })
    expect([stateOf(skipped, 'mail'), skipped.isBegun]).toEqual(['skipped', true])
    const passed = await admin.send(saveSetupStep, { params: { step: 'mail' }, body: { state: 'done' } })
    expect(stateOf(passed, 'mail')).toBe('skipped')
    const again = await admin.send(saveSetupStep, { params: { step: 'mail' }, body: { state: 'open' } })
    expect(stateOf(again, 'mail')).toBe('open')

    const { _id: region } = await app.make.region('Texas')
    const change = { organisation: 'Juniper Schools', timeZone: 'America/Chicago', states: ['TX' as const], defaultRegion: region }
    await admin.send(saveSettings, { body: change })
    await app.make.charter()
    const begun = await admin.send(readSetup)
    expect([stateOf(begun, 'organization'), stateOf(begun, 'records'), stateOf(begun, 'people')]).toEqual(['done', 'done', 'open'])
    expect(begun.records.find(({ kind }) => kind === 'charters')?.count).toBe(1)
    expect(begun.organization).toEqual({ timeZone: 'America/Chicago', isTimeZoneFixed: false })
    await app.as(6).who()
    expect((await admin.send(readSetup)).administrators).toBe(1)
  })

  test('a step with an unknown name or state is refused', async () => {
    const admin = (await startApp()).as(1)
    const send = (step: string, state: string) =>
      admin.request('PATCH', `/api/setup/steps/${step}`, { payload: { state } }).then(({ statusCode }) => statusCode)
    expect([await send('nonsense', 'done'), await send('mail', 'nonsense')]).toEqual([404, 422])
  })

  test('says which settings of sign-in and mail the server has, and shows no value of a secret', async () => {
    const app = await startApp({ SMTP_URL: 'smtp://homeroom:hidden-password@127.0.0.1:9', SECRET_KEY: 'k'.repeat(40) })
    const setup = await app.as(1).send(readSetup)
    expect(setup.mail).toMatchObject({ isConfigured: true })
    expect(setup.mail.variables.map(({ name, isSet }) => [name, isSet])).toEqual([
      ['SMTP_URL', true],
      ['MAIL_FROM', false],
    ])
    expect(setup.signIn.redirectUrl).toBe(`${app.context.configuration.publicUrl}/auth/azure/callback`)
    expect(setup.signIn.variables.find(({ name }) => name === 'SECRET_KEY')?.isSet).toBe(true)
    expect(setup.signIn.variables.find(({ name }) => name === 'OIDC_ISSUER')?.isSet).toBe(false)
    expect(JSON.stringify(setup)).not.toMatch(/hidden-password|kkkk/)
  })

  test('a time zone in the environment counts, whatever the settings say', async () => {
    const app = await startApp({ TIME_ZONE: 'America/New_York' })
    await app.as(5).send(saveSettings, { body: { timeZone: 'America/Chicago' } })
    expect((await app.as(1).send(readSetup)).organization).toEqual({ timeZone: 'America/New_York', isTimeZoneFixed: true })
    expect((await app.as(5).send(readSettings)).timeZone).toBe('America/Chicago')
    const refused = await app.as(5).trySend(saveSettings, { body: { timeZone: 'America/Nowhere' } })
    expect([refused.statusCode, refused.json().errors?.[0]?.path]).toEqual([422, 'timeZone'])
  })

  test('shows what the doctor finds, in words and without secrets', async () => {
    const app = await startApp({ SMTP_URL: 'smtp://homeroom:hidden-password@127.0.0.1:9' })
    const findings = await app.as(1).send(readFindings)
    expect(findings).toContainEqual({ what: 'Mail', state: 'wrong', words: expect.stringContaining('mail server cannot be used') })
    expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining(['Database', 'Sign-in', 'Data folder']))
    expect(JSON.stringify(findings)).not.toContain('hidden-password')
  })
})

describe('a test mail', () => {
  let mail: MailServer
  beforeAll(async () => {
    mail = await startMailServer()
  })
  afterAll(() => mail.stop())

  test('is sent to the given address, with the answer of the mail server', async () => {
    const app = await startApp({ SMTP_URL: mail.url })
    const [finding] = await app.as(1).send(sendTestMail, { body: { to: 'dana@school.test' } })
    expect(finding).toMatchObject({ state: 'right', words: expect.stringContaining('accepted one to dana@school.test') })
    expect(mail.received.at(-1)?.to).toEqual(['dana@school.test'])
    mail.behavior.rejectRecipient = () => ({ code: 550, text: 'No such mailbox' })
    const [refused] = await app.as(1).send(sendTestMail, { body: { to: 'no.one@school.test' } })
    expect(refused).toMatchObject({ state: 'wrong', words: expect.stringContaining('No such mailbox') })
    mail.behavior.rejectRecipient = undefined
    expect((await app.as(1).trySend(sendTestMail, { body: { to: 'nonsense' } })).statusCode).toBe(422)
  })
})

describe('removing the sample network', () => {
  let folder: string
  let app: TestApp
  beforeAll(async () => {
    folder = await createTemporaryFolder()
    app = await startApp({ DATA_DIR: folder })
  })
  afterAll(() => removeFolder(folder))

  test('is refused in a database without it: real records stay', async () => {
    const real = await startApp({ DATA_DIR: folder })
    await real.make.charter()
    const response = await real.as(1).trySend(removeSample, { body: { confirm: REMOVAL_WORDS } })
    expect([response.statusCode, response.json().title]).toEqual([409, 'There is no sample network here'])
    expect(await real.as(1).send(listCharters)).toHaveLength(1)
  })

  test('needs its words typed, makes a backup, and leaves the account of who does it', { timeout: 240_000 }, async () => {
    await loadSample({ db: app.context.db, sites: 5 })
    app.context.lists.invalidateAll(true)
    const [admin, other] = [app.as(1), app.as(6)]
    await other.who()
    expect((await admin.send(readSetup)).sample).toEqual({ sites: 5, changes: 0 })
    expect((await admin.send(readCounts)).sites).toBeGreaterThan(0)
    const untyped = await admin.request('POST', '/api/setup/remove-sample', { payload: { confirm: 'yes' } })
    expect(untyped.statusCode).toBe(422)
    expect((await admin.send(readCounts)).sites).toBeGreaterThan(0)

    const { backup } = await admin.send(removeSample, { body: { confirm: REMOVAL_WORDS } })
    expect(backup.startsWith(join(folder, 'backups', 'sample-homeroom-'))).toBe(true)
    expect(existsSync(backup)).toBe(true)
    expect((await admin.send(readUser)).accessLevel).toBe(1)
    expect((await other.trySend(readUser)).statusCode).toBe(401)
    expect(await admin.send(readCounts)).toMatchObject({ sites: 0, charters: 0, brands: 0, leadership: 0 })
    expect(await admin.send(readSetup)).toMatchObject({ isEmpty: true, sample: null })
    const { rows: left } = await sql<{ kind: string }>`select kind from audit_event where kind = 'sample.removed'`.execute(app.context.db)
    expect(left).toHaveLength(1)
    expect((await admin.trySend(removeSample, { body: { confirm: REMOVAL_WORDS } })).statusCode).toBe(409)
    // The next start does not load it again.
    await loadSample({ db: app.context.db, sites: 5 })
    expect((await admin.send(readSetup)).isEmpty).toBe(true)
    const charter = await app.make.charter()
    expect((await admin.send(listCharters)).map(({ _id }) => _id)).toEqual([charter._id])
  })
})
