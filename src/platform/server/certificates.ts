import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'

import { DAY_MS } from '../../contract/dates.ts'
import type { Configuration } from './configuration.ts'
import { parseHosts } from './database-address.ts'
import { withTimeout } from './with-timeout.ts'

/** Endpoints with a certificate: the public address, the database and the mail server. */
export const CERTIFICATE_OWNERS = ['address', 'database', 'mail'] as const
export type CertificateOwner = (typeof CERTIFICATE_OWNERS)[number]

interface CertificateHost {
  readonly host: string
  readonly port: number
  /** The plain-text exchange before TLS; resolves when the other side is ready for it. */
  readonly greet?: (socket: Socket) => Promise<void>
}

const readNextChunk = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('data', (data: Buffer) => resolve(data.toString('latin1')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })

/** Sends PostgreSQL's TLS request, whose response is one letter. */
const greetPostgres = async (socket: Socket): Promise<void> => {
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  if ((await readNextChunk(socket))[0] !== 'S') throw new Error('it has no TLS')
}

const readReply = async (socket: Socket): Promise<string> => {
  let text = ''
  // The last line of a reply has a space after its number.
  while (!/^\d{3} .*\r?\n$/m.test(text)) text += await readNextChunk(socket)
  return text
}

const greetMail = async (socket: Socket): Promise<void> => {
  await readReply(socket)
  socket.write('EHLO homeroom\r\n')
  if (!/STARTTLS/i.test(await readReply(socket))) throw new Error('it has no TLS')
  socket.write('STARTTLS\r\n')
  if (!(await readReply(socket)).startsWith('220')) throw new Error('it refuses STARTTLS')
}

/** The host that should have a certificate; undefined if the configuration uses none. */
const findHost = ({ publicUrl, databaseUrl, smtpUrl }: Configuration, owner: CertificateOwner): CertificateHost | undefined => {
  if (owner === 'address') {
    const { protocol, hostname, port } = new URL(publicUrl)
    return protocol === 'https:' ? { host: hostname, port: Number(port || 443) } : undefined
  }
  if (owner === 'mail') {
    if (smtpUrl === undefined) return undefined
    const { protocol, hostname, port } = new URL(smtpUrl)
    return protocol === 'smtps:' || port === '465'
      ? { host: hostname, port: Number(port || 465) }
      : { host: hostname, port: Number(port || 587), greet: greetMail }
  }
  if (databaseUrl === undefined || !/[?&](sslmode=(require|verify-ca|verify-full|no-verify)|ssl=(true|1))(&|$)/.test(databaseUrl))
    return undefined
  const { hostname, port } = new URL(parseHosts(databaseUrl)?.first ?? databaseUrl)
  return { host: hostname, port: Number(port || 5432), greet: greetPostgres }
}

const waitUntilSecure = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })

const readValidTo = async ({ host: written, port, greet }: CertificateHost, timeoutMs: number): Promise<number> => {
  const host = written.replace(/^\[|\]$/g, '')
  const plain = connectTcp({ host, port, timeout: timeoutMs })
  plain.once('timeout', () => plain.destroy())
  plain.on('error', () => {}) // pending operations report it as well
  try {
    await greet?.(plain)
    // Trust does not matter here, since the date of an expired certificate must be readable too.
    const options: ConnectionOptions = { socket: plain, rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) }
    const secure = connectTls(options)
    await waitUntilSecure(secure)
    return Date.parse(secure.getPeerCertificate().valid_to)
  } finally {
    plain.destroy()
  }
}

/** Days until a certificate expires, negative if it has expired; undefined if there is none. */
export const readCertificateDays = async (
  configuration: Configuration,
  owner: CertificateOwner,
  timeoutMs: number,
): Promise<number | undefined> => {
  const host = findHost(configuration, owner)
  if (host === undefined) return undefined
  const validTo = await withTimeout(timeoutMs, readValidTo(host, timeoutMs))
  return Number.isNaN(validTo) ? undefined : (validTo - Date.now()) / DAY_MS
}
