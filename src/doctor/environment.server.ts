import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { CERTIFICATE_OWNERS, type CertificateOwner, readCertificateDays } from '../platform/server/certificates.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { formatDisk, getMinFreeBytes, readDisks } from '../platform/server/disk.ts'
import { isLoopback } from '../platform/server/loopback.ts'
import { getErrorReason } from '../platform/server/startup-errors.ts'
import { type Finding, note, passed, failed } from './finding.ts'
import { getFetchReason } from './services.server.ts'

/** Checks without writing: the folder itself, or its nearest existing parent if it does not exist yet. */
const checkFolder = async (name: string, path: string): Promise<Finding> => {
  let there = path
  while (!(await stat(there).catch(() => undefined)) && dirname(there) !== there) there = dirname(there)
  try {
    if (!(await stat(there)).isDirectory()) return failed(`${name} (${path}): ${there} is a file; name a folder`)
    await access(there, constants.W_OK | constants.X_OK)
    return passed(`${name} (${path}) ${there === path ? 'can be written' : 'can be made'}`)
  } catch (error) {
    return failed(`${name} (${path}) cannot be written: ${getErrorReason(error)}; give ${there} to the user the server runs as`)
  }
}

export const checkFolders = async (configuration: Configuration): Promise<Finding[]> => {
  const { dataDir, backupDir, isBackupEnabled } = configuration
  const findings = [await checkFolder('DATA_DIR', dataDir), ...(isBackupEnabled ? [await checkFolder('BACKUP_DIR', backupDir)] : [])]
  if (!isBackupEnabled) findings.push(note('BACKUP_DIR is not set: this server makes no backup of the database of DATABASE_URL'))
  for (const disk of await readDisks(configuration))
    if (disk.free < getMinFreeBytes(disk.size)) findings.push(failed(`${formatDisk(disk)}; make room`))
  return findings
}

const isAlive = async (url: string, timeoutMs: number): Promise<boolean> => {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const answer = (await response.json().catch(() => undefined)) as { status?: unknown } | undefined
  return response.ok && answer?.status === 'alive'
}

const CERTIFICATE_NAMES: Readonly<Record<CertificateOwner, string>> = {
  address: 'PUBLIC_URL',
  database: 'the database',
  mail: 'the mail server',
}
/** A certificate that expires in fewer days than these is reported as a note, or as an error. */
const [FEW_DAYS, TOO_FEW_DAYS] = [30, 7]

/** Checks how long our certificate, and those of the database and the mail server, are still valid. */
export const checkCertificates = async (configuration: Configuration, timeoutMs: number): Promise<Finding[]> => {
  const findings = await Promise.all(
    CERTIFICATE_OWNERS.map(async (owner): Promise<Finding[]> => {
      // Other checks report what is unreachable.
      const days = await readCertificateDays(configuration, owner, timeoutMs).catch(() => undefined)
      if (days === undefined) return []
      const words = `that of ${CERTIFICATE_NAMES[owner]} ${days < 0 ? 'has expired' : `is valid for ${Math.floor(days)} more days`}`
      return [days < TOO_FEW_DAYS ? failed(`${words}; renew it`) : days < FEW_DAYS ? note(`${words}; renew it soon`) : passed(words)]
    }),
  )
  return findings.flat()
}

/** Whether the public URL leads to this server. */
export const checkPublicUrl = async ({ publicUrl, host, port, trustProxy }: Configuration, timeoutMs: number): Promise<Finding[]> => {
  const own = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
  const runs = await isAlive(own, timeoutMs).catch(() => false)
  const findings: Finding[] = []
  try {
    findings.push(
      (await isAlive(publicUrl, timeoutMs))
        ? passed(`PUBLIC_URL (${publicUrl}) leads to a Homeroom`)
        : failed(`PUBLIC_URL (${publicUrl}) leads to something else; check the name and the proxy’s settings`),
    )
  } catch (error) {
    const words = `PUBLIC_URL (${publicUrl}) cannot be reached from here: ${getFetchReason(error)}`
    findings.push(
      runs
        ? failed(`${words}; check the name, the proxy and its certificate`)
        : note(`${words}; the server does not run, which explains it`),
    )
  }
  const isBehindProxy = publicUrl.startsWith('https:') || !isLoopback(new URL(publicUrl).hostname)
  if (isBehindProxy && !trustProxy)
    findings.push(note('TRUST_PROXY is off: behind a proxy everyone would have the proxy’s address, and share its limits'))
  return findings
}
