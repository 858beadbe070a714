import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Mistake } from './configuration-error.ts'
import { getErrorReason } from './startup-errors.ts'

/** The certificate that signs dossiers, first, with those that lead to its issuer, and its key. */
export interface SigningCertificate {
  readonly chain: readonly X509Certificate[]
  readonly key: KeyObject
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])
const MIN_RSA_BITS = 2048

/** The text itself if it is PEM, otherwise that of the file it names. */
const readPem = (setting: string): string => (setting.includes('-----BEGIN ') ? setting : readFileSync(setting, 'utf8'))

const readChain = (setting: string): X509Certificate[] => {
  const found = readPem(setting).match(PEM_CERTIFICATE) ?? []
  if (found.length === 0) throw new Error('it contains no certificate in PEM format')
  return found.map((pem) => new X509Certificate(pem))
}

const readKey = (setting: string): KeyObject => {
  const pem = readPem(setting)
  if (/ENCRYPTED/.test(pem)) throw new Error('it is encrypted; decrypt it with "openssl pkey"')
  if (!pem.includes('PRIVATE KEY-----')) throw new Error('it contains no private key in PEM format')
  const key = createPrivateKey(pem)
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  const isFit = key.asymmetricKeyType === 'rsa' ? modulusLength >= MIN_RSA_BITS : key.asymmetricKeyType === 'ec' && CURVES.has(namedCurve)
  if (!isFit) throw new Error(`it must be RSA with at least ${MIN_RSA_BITS} bits, or ECDSA with P-256, P-384 or P-521`)
  return key
}

type Setting = 'DOSSIER_CERTIFICATE' | 'DOSSIER_KEY'

/** Reads certificate and key, each a file or PEM; undefined if neither is set. No message repeats a key. */
export const readSigningCertificate = (settings: {
  readonly [Name in Setting]?: string | undefined
}): { readonly certificate: SigningCertificate | undefined; readonly mistakes: readonly Mistake[] } => {
  const { DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: key } = settings
  if (certificate === undefined && key === undefined) return { certificate: undefined, mistakes: [] }
  const mistakes: Mistake[] = []
  const add = (setting: Setting, problem: string): void => void mistakes.push({ setting, message: `${setting} ${problem}` })
  const read = <T>(setting: Setting, parse: (value: string) => T): T | undefined => {
    const value = settings[setting]
    if (value === undefined) {
      add(setting, `must be set if ${setting === 'DOSSIER_KEY' ? 'DOSSIER_CERTIFICATE' : 'DOSSIER_KEY'} is`)
      return undefined
    }
    try {
      return parse(value)
    } catch (error) {
      add(setting, `cannot be read: ${getErrorReason(error)}`)
      return undefined
    }
  }
  const chain = read('DOSSIER_CERTIFICATE', readChain)
  const parsedKey = read('DOSSIER_KEY', readKey)
  const [own] = chain ?? []
  if (!chain || !own || !parsedKey) return { certificate: undefined, mistakes }
  if (!own.checkPrivateKey(parsedKey)) {
    add('DOSSIER_KEY', 'does not belong to the first certificate of DOSSIER_CERTIFICATE')
    return { certificate: undefined, mistakes }
  }
  return { certificate: { chain, key: parsedKey }, mistakes }
}

/** Whether a certificate is valid at a moment. */
export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean => validFromDate <= at && at <= validToDate

/** The name in the subject of a certificate: its common name, or all of it. */
export const getSubjectName = ({ subject }: X509Certificate): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
