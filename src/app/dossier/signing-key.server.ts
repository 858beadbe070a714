import { type KeyObject, webcrypto, type X509Certificate } from 'node:crypto'

/** A certificate and its key in a form that a thread can be given. */
export interface SigningKey {
  /** DER, the signer's first. */
  readonly chain: readonly Uint8Array<ArrayBuffer>[]
  /** PKCS#8. */
  readonly key: Uint8Array<ArrayBuffer>
  readonly algorithm: { readonly name: 'RSASSA-PKCS1-v1_5' } | { readonly name: 'ECDSA'; readonly namedCurve: string }
}

const CURVE_NAMES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

export const toSigningKey = ({ chain, key }: { readonly chain: readonly X509Certificate[]; readonly key: KeyObject }): SigningKey => ({
  chain: chain.map(({ raw }) => new Uint8Array(raw)),
  key: new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })),
  algorithm:
    key.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5' }
      : { name: 'ECDSA', namedCurve: CURVE_NAMES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? '' },
})

/** The SHA-256 in hexadecimal, computed outside of the main thread. */
export const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
