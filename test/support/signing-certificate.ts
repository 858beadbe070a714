import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const KEYS = { RSA: ['rsa:2048'], ECDSA: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] } as const
const SUBJECT = '/O=Sample Schools/CN=Sample Schools Records'

/** A certificate that signs itself, and its key, as PEM files. */
export const createSigningCertificate = (folder: string, kind: keyof typeof KEYS, days = 30) => {
  const [certificate, key] = [join(folder, `${kind}.pem`), join(folder, `${kind}-key.pem`)]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', ...KEYS[kind], '-nodes', '-keyout', key, '-out', certificate, '-days', String(days), '-subj', SUBJECT],
    { stdio: 'ignore' },
  )
  return { certificate, key }
}
