import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readCertificateDays } from './certificates.ts'
import { readConfiguration } from './configuration.ts'

let folder: string
let credentials: { key: Buffer; cert: Buffer }
const servers: Server[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeroom-certificate-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '20', '-keyout', key, '-out', cert]
  spawnSync('openssl', words)
  credentials = { key: readFileSync(key), cert: readFileSync(cert) }
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

/** A server that sends and expects these texts before TLS begins. */
const listen = async (greet: (socket: Socket, toTls: () => void) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    greet(socket, () => new TLSSocket(socket, { isServer: true, ...credentials }).on('error', () => {}))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
const daysOf = async (environment: NodeJS.ProcessEnv, owner: 'address' | 'database' | 'mail'): Promise<number> =>
  Math.round((await readCertificateDays(readConfiguration({ SAMPLE: 'none', SERVE: 'web', ...environment }), owner, 2000)) ?? NaN)

test('the remaining days of an HTTPS certificate', async () => {
  const port = await listen((_socket, toTls) => toTls())
  expect(await daysOf({ PUBLIC_URL: `https://127.0.0.1:${port}` }, 'address')).toBe(20)
})

test('the remaining days of a PostgreSQL certificate', async () => {
  const port = await listen((socket, toTls) =>
    socket.once('data', (request: Buffer) => {
      if (request.readInt32BE(4) === 80_877_103) socket.write('S', toTls)
    }),
  )
  const environment = { DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d?sslmode=verify-full` }
  expect(await daysOf(environment, 'database')).toBe(20)
  expect(await daysOf({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }, 'database')).toBeNaN()
})

test('the remaining days of a mail server’s certificate, with STARTTLS and with TLS from the start', async () => {
  const starting = await listen((socket, toTls) => {
    socket.write('220 mail.test ESMTP\r\n')
    socket.once('data', () => {
      socket.write('250-mail.test\r\n250 STARTTLS\r\n')
      socket.once('data', () => socket.write('220 Go ahead\r\n', toTls))
    })
  })
  expect(await daysOf({ SMTP_URL: `smtp://127.0.0.1:${starting}` }, 'mail')).toBe(20)
  const at = await listen((_socket, toTls) => toTls())
  expect(await daysOf({ SMTP_URL: `smtps://127.0.0.1:${at}` }, 'mail')).toBe(20)
})

test('a server that does not respond or has no TLS gives no result, within the timeout', async () => {
  const port = await listen(() => {})
  await expect(daysOf({ SMTP_URL: `smtp://127.0.0.1:${port}` }, 'mail')).rejects.toThrow(/no answer within|closed/)
  const plain = await listen((socket) => socket.once('data', () => socket.end('N')))
  await expect(daysOf({ DATABASE_URL: `postgres://u:p@127.0.0.1:${plain}/d?sslmode=require` }, 'database')).rejects.toThrow('it has no TLS')
})
