import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { startApp } from '../../test/support/app.ts'
import { getFreePort } from '../../test/support/free-port.ts'
import { startMailServer, type MailServer } from '../../test/support/mail-server.ts'
import { startOidcProvider, type OidcProvider } from '../../test/support/oidc-provider.ts'
import { findSystemPostgres, startOtherPostgres } from '../../test/support/other-postgres.ts'
import {
  respondNever,
  respondWith,
  startPhotoDirectory,
  respondWithStatus,
  type PhotoDirectory,
} from '../../test/support/photo-directory.ts'
import { createSigningCertificate } from '../../test/support/signing-certificate.ts'
import { createTemporaryFolder, removeFolder } from '../../test/support/temporary-folder.ts'
import type { WrongLine } from '../command-line/environment-file.ts'
import { doctorCommand } from './command.server.ts'

// All services are real ones on loopback: working, down, with a wrong password, and hanging.

const KEY = '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u'
const PASSWORD = 'wrong-p4ssword-Zq81'

let silence: Server
let provider: OidcProvider
let mail: MailServer
let directory: PhotoDirectory
let base: Record<string, string>
const silent = (): number => (silence.address() as AddressInfo).port

beforeAll(async () => {
  silence = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silence, 'listening')
  provider = await startOidcProvider()
  mail = await startMailServer()
  directory = await startPhotoDirectory()
  base = {
    ...provider.environment,
    SECRET_KEY: KEY,
    PORT: String(await getFreePort()),
    DATA_DIR: '/tmp',
    SMTP_URL: mail.url,
    GRAPH_URL: directory.url,
  }
})
afterAll(async () => {
  await Promise.all([provider.close(), mail.stop(), directory.close()])
  silence.close()
})

/** The findings for one subject, and the exit code. */
const examine = async (
  what: string,
  environment: Record<string, string>,
  { timeoutMs = 2000, wrongLines = [] }: { timeoutMs?: number; wrongLines?: readonly WrongLine[] } = {},
) => {
  let text = ''
  const began = Date.now()
  const code = await doctorCommand({
    environment: { ...base, ...environment },
    out: { write: (more) => (text += more) },
    timeoutMs,
    wrongLines,
  })
  expect(Date.now() - began, 'every check has a time limit').toBeLessThan(2 * timeoutMs + 15_000)
  expect(text).not.toContain(KEY)
  expect(text).not.toContain(PASSWORD)
  return { code, lines: text.split('\n').filter((line) => line.slice(6).startsWith(`${what}:`)), text }
}
const expectWrong = async (what: string, environment: Record<string, string>, words: RegExp): Promise<void> => {
  const { code, lines } = await examine(what, environment)
  expect(lines).toContainEqual(expect.stringMatching(words))
  expect(lines.filter((line) => line.startsWith('WRONG'))).toHaveLength(1)
  expect(code).toBe(1)
}

test('with a correct setup it reports success and exits with 0', async () => {
  const { code, text } = await examine('', {}, { timeoutMs: 10_000 })
  expect(text).not.toContain('WRONG')
  expect(text).toMatch(/Nothing is wrong\n$/)
  expect(code).toBe(0)
  expect(mail.received).toEqual([])
})

test('all wrong settings and lines are listed, and what does not need them is checked anyway', async () => {
  const { code, lines, text } = await examine(
    'configuration',
    { PORT: 'x', SECRET_KEY: 'short', SMTP_URL: `ftp://u:${PASSWORD}@h`, BACKUP_DIR: '/etc/hostname/data' },
    { wrongLines: [{ name: 'HR_URL', message: 'environment: line 3 (HR_URL): the closing quotation mark is missing' }] },
  )
  expect(lines).toEqual([
    'WRONG configuration: environment: line 3 (HR_URL): the closing quotation mark is missing',
    expect.stringMatching(/^WRONG configuration: (PORT|SMTP_URL|SECRET_KEY) /),
    expect.stringMatching(/^WRONG configuration: (PORT|SMTP_URL|SECRET_KEY) /),
    expect.stringMatching(/^WRONG configuration: (PORT|SMTP_URL|SECRET_KEY) /),
  ])
  expect(text).toContain('--    mail: not checked, because SMTP_URL cannot be used\n')
  expect(text).toContain('--    HR source: not checked, because HR_URL cannot be used\n')
  for (const what of ['database', 'sign-in', 'directory', 'address', 'webhooks']) expect(text).not.toContain(`${what}: not checked`)
  expect(text).toMatch(/^ok {4}sign-in: /m)
  expect(text).toMatch(/^WRONG data folder: BACKUP_DIR .*is a file/m)
  expect(text).toMatch(/^5 things are wrong$/m)
  expect(code).toBe(1)
})

test('a wrong address of our own leaves only what is about it unchecked', async () => {
  const { text } = await examine('configuration', { PUBLIC_URL: 'nonsense' })
  expect(text).toMatch(/^ok {4}sign-in: .* answers$/m)
  expect(text.match(/^.*: not checked.*$/gm)).toEqual([
    '--    sign-in addresses: not checked, because PUBLIC_URL cannot be used',
    '--    address: not checked, because PUBLIC_URL cannot be used',
  ])
})

describe('sign-in', () => {
  test('working: it names the redirect addresses to register', async () => {
    const { lines } = await examine('sign-in', { SUPER_ADMINS: 'a@school.test' })
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['ok   ', 'ok   ', '--   '])
    expect((await examine('sign-in addresses', {})).lines).toEqual([expect.stringContaining('/auth/azure/callback')])
    expect(lines[2]).toContain('guests of the tenant are refused')
    const open = await examine('sign-in', { SUPER_ADMINS: 'a@school.test', OIDC_ALLOW_GUESTS: 'true' })
    expect(open.lines).toHaveLength(2)
  })
  test('down', async () =>
    expectWrong('sign-in', { OIDC_ISSUER: `http://127.0.0.1:${await getFreePort()}` }, /cannot be used: .*OIDC_ISSUER/))
  test('a wrong secret', async () => expectWrong('sign-in', { OIDC_CLIENT_SECRET: PASSWORD }, /invalid_client.*OIDC_CLIENT_SECRET/))
  test('hanging', async () =>
    expectWrong('sign-in', { OIDC_ISSUER: `http://127.0.0.1:${silent()}` }, /WRONG sign-in: it does not answer in time/))
  test('an issuer that differs from the configured one', async () =>
    expectWrong('sign-in', { OIDC_ISSUER: `${provider.issuer}/other` }, /WRONG sign-in/))
})

describe('mail', () => {
  test('down', async () =>
    expectWrong('mail', { SMTP_URL: `smtp://127.0.0.1:${await getFreePort()}` }, /nothing is listening there.*SMTP_URL/))
  test('hanging', async () => expectWrong('mail', { SMTP_URL: `smtp://127.0.0.1:${silent()}` }, /mail server cannot be used/))
  test('a wrong password', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      logger: false,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    })
    server.on('error', () => {})
    const port = await getFreePort()
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    await expectWrong('mail', { SMTP_URL: `smtp://homeroom:${PASSWORD}@127.0.0.1:${port}` }, /refuses the user or the password/)
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  })
})

describe('a test mail', () => {
  const sendTo = async (address: string, environment: Record<string, string> = {}) => {
    let text = ''
    const into = { write: (more: string) => (text += more) }
    const code = await doctorCommand({ args: ['--mail', address], environment: { ...base, ...environment }, out: into, timeoutMs: 5000 })
    return { code, line: text.split('\n').find((one) => one.includes(' test mail:')) }
  }
  test('is sent only to the given address', async () => {
    const before = mail.received.length
    expect(await sendTo('first.admin@school.test')).toEqual({
      code: 0,
      line: expect.stringMatching(/^ok .*accepted one to first\.admin@school\.test, from Homeroom </),
    })
    expect(mail.received.slice(before).map(({ to }) => to)).toEqual([['first.admin@school.test']])
  })
  test('that the server refuses, or that has no mail server, is an error', async () => {
    mail.behavior.rejectRecipient = () => ({ code: 550, text: 'No such mailbox' })
    expect(await sendTo('no.one@school.test')).toEqual({ code: 1, line: expect.stringMatching(/^WRONG .*No such mailbox.*MAIL_FROM$/) })
    mail.behavior.rejectRecipient = undefined
    expect((await sendTo('a@school.test', { SMTP_URL: '' })).line).toMatch(/^WRONG .*SMTP_URL is not set$/)
    await expect(sendTo('nonsense')).rejects.toThrow('--mail takes an email address, not "nonsense"')
  })
})

describe('directory', () => {
  test('working, although it refuses an unknown user', async () => {
    directory.respond = respondWithStatus(401)
    expect((await examine('directory', {})).lines).toEqual([expect.stringMatching(/^ok .* answers$/)])
  })
  test('down', async () =>
    expectWrong('directory', { GRAPH_URL: `http://127.0.0.1:${await getFreePort()}` }, /nothing is listening there.*GRAPH_URL/))
  test('responding with errors', async () => {
    directory.respond = respondWithStatus(503)
    await expectWrong('directory', {}, /answers 503/)
  })
  test('hanging', async () => {
    directory.respond = respondNever
    await expectWrong('directory', {}, /does not answer in time/)
    directory.respond = respondWith('{}')
  })
})

describe('data folder and address', () => {
  test('a file where a folder should be', async () =>
    expectWrong('data folder', { DATA_DIR: '/etc/hostname/data', BACKUP_DIR: '/tmp' }, /is a file/))
  test('a public address that leads to another program', async () => {
    const other = await startPhotoDirectory()
    await expectWrong('address', { PUBLIC_URL: other.url.replace('/v1.0', '') }, /leads to something else/)
    await other.close()
  })
  test('a public address that does not respond while no server runs is a note', async () => {
    expect((await examine('address', {})).lines[0]).toMatch(/^-- .*the server does not run/)
  })
})

describe('database', () => {
  test('down', async () =>
    expectWrong('database', { DATABASE_URL: `postgres://u:${PASSWORD}@127.0.0.1:${await getFreePort()}/h` }, /nothing is listening there/))
  test('hanging', async () =>
    expectWrong('database', { DATABASE_URL: `postgres://u:${PASSWORD}@127.0.0.1:${silent()}/h` }, /does not answer in time/))

  test('up to date, over a Unix socket or with the connection of the tests', async () => {
    const { server, template } = inject('testDatabase')
    const url = server.connectionString
      ? Object.assign(new URL(server.connectionString), { pathname: `/${template}` }).href
      : `postgres://${server.user}@${encodeURIComponent(String(server.host))}:${server.port}/${template}`
    const { lines } = await examine('database', { DATABASE_URL: url })
    expect(lines).toEqual([expect.stringMatching(/^ok .*PostgreSQL \d/), expect.stringMatching(/^ok .*the tables are up to date/)])
  })

  test('dossiers: without a certificate they are not signed, and the days of one are counted', async () => {
    expect((await examine('dossiers', {})).lines).toEqual(['--    dossiers: they are not signed: DOSSIER_CERTIFICATE is not set'])
    const folder = await createTemporaryFolder()
    const examineDays = async (days: number): Promise<readonly string[]> => {
      const { certificate, key } = createSigningCertificate(folder, 'RSA', days)
      return (await examine('dossiers', { DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: key })).lines
    }
    expect(await examineDays(90)).toEqual([expect.stringMatching(/^ok .*Sample Schools Records.* is valid for (89|90) more days$/)])
    expect(await examineDays(20)).toEqual([expect.stringMatching(/^-- .* is valid for (19|20) more days; renew it soon$/)])
    const { text } = await examine('configuration', { DOSSIER_CERTIFICATE: '/nowhere/c.pem', DOSSIER_KEY: 'not a key' })
    expect(text).toContain('WRONG configuration: DOSSIER_CERTIFICATE cannot be read')
    expect(text).not.toContain('not a key')
    await removeFolder(folder)
  })

  test('webhooks: reachable, paused and private targets are reported; only hosts are named', async () => {
    const { context } = await startApp()
    const { rows: databases } = await context.pool.query<{ name: string }>('select current_database() as name')
    const { server } = inject('testDatabase')
    const base = server.connectionString ?? `postgres://${server.user}@${encodeURIComponent(String(server.host))}:${server.port}/x`
    const DATABASE_URL = base.replace(/[^/?]*(\?.*)?$/, `${databases[0]?.name}$1`)
    expect((await examine('webhooks', { DATABASE_URL })).lines).toEqual(['--    webhooks: there is none'])
    const down = await getFreePort()
    await context.pool.query(
      `insert into webhook (url, events, secret, cursor, state) select url, '{site.changed}', 'x', 0, state from (values
        ('http://127.0.0.1:${silent()}/s3cret-p4th', 'active'), ('http://127.0.0.1:${down}/x', 'active'), ('https://hooks.test/x', 'paused')) as one (url, state)`,
    )
    const allowed = await examine('webhooks', { DATABASE_URL, WEBHOOK_PRIVATE_TARGETS: 'allow' })
    expect(allowed.lines.toSorted()).toEqual([
      expect.stringMatching(/^-- .*hooks\.test is paused \(0 waiting, 0 failed\)$/),
      expect.stringContaining(`WRONG webhooks: that of 127.0.0.1:${down} cannot be reached`),
      `ok    webhooks: that of 127.0.0.1:${silent()} can be reached (0 waiting, 0 failed)`,
    ])
    expect(allowed.text).not.toContain('s3cret-p4th')
    const refused = (await examine('webhooks', { DATABASE_URL })).lines.filter((line) => line.startsWith('WRONG'))
    expect(refused).toEqual([expect.stringContaining('gets nothing'), expect.stringContaining('WEBHOOK_PRIVATE_TARGETS=allow')])
  })

  test.runIf(findSystemPostgres() !== undefined)(
    'an empty database with a correct and a wrong password; one of several hosts down',
    async () => {
      const installed = findSystemPostgres()
      if (!installed) throw new Error('There is no other PostgreSQL')
      const other = await startOtherPostgres(installed)
      try {
        const { lines } = await examine('database', { DATABASE_URL: other.url })
        expect(lines).toEqual([expect.stringMatching(/^ok /), expect.stringMatching(/^-- .*the first start makes the tables/)])
        await expectWrong(
          'database',
          { DATABASE_URL: other.url.replace(':homeroom@', `:${PASSWORD}@`) },
          /refuses the user or the password/,
        )
        const two = other.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${await getFreePort()}`)
        await expectWrong('database', { DATABASE_URL: two }, /cannot be used: nothing is listening there/)
      } finally {
        await other.stop()
      }
    },
  )
})

describe('HR source', () => {
  test('down', async () =>
    expectWrong('HR source', { HR_URL: `postgres://hr:${PASSWORD}@127.0.0.1:${await getFreePort()}/hr` }, /cannot be searched.*HR_URL/))
  test('hanging', async () =>
    expectWrong('HR source', { HR_URL: `mssql://hr:${PASSWORD}@127.0.0.1:${silent()}/hr` }, /no answer within|cannot be searched/))
})
