import { createHash, webcrypto, X509Certificate } from 'node:crypto'

import { Signer, SignPdf } from '@signpdf/signpdf'
import { fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'

import { getSubjectName } from '../../platform/server/signing-certificate.ts'
import type { TaggedPdf } from './pdf/tagged-pdf.server.ts'
import { digest, type SigningKey } from './signing-key.server.ts'

/** The object identifiers of the signed attributes (RFC 5652, RFC 5035), in their order in DER. */
const OIDS = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
} as const
const SHA256_OID = '2.16.840.1.101.3.4.2.1'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** A detached CMS signature with the attributes of PAdES B-B (ETSI EN 319 142-1): without the time, which is in the PDF. */
class PadesSigner extends Signer {
  readonly #signing: SigningKey

  constructor(signing: SigningKey) {
    super()
    this.#signing = signing
  }

  override async sign(pdf: Buffer): Promise<Buffer> {
    const { chain, key, algorithm } = this.#signing
    const certificates = chain.map((der) => Certificate.fromBER(der))
    const [own] = certificates
    if (!own || !chain[0]) throw new Error('There is no certificate to sign with')
    const toAttribute = (type: string, value: object): Attribute => new Attribute({ type, values: [value] })
    const signer = new SignerInfo({
      version: 1,
      sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
      signedAttrs: new SignedAndUnsignedAttributes({
        type: 0,
        attributes: [
          toAttribute(OIDS.contentType, new ObjectIdentifier({ value: ContentInfo.DATA })),
          toAttribute(OIDS.messageDigest, new OctetString({ valueHex: sha256(pdf) })),
          toAttribute(
            OIDS.signingCertificate,
            // SigningCertificateV2 with one ESSCertIDv2, whose hash algorithm is SHA-256 by default.
            new Sequence({
              value: [new Sequence({ value: [new Sequence({ value: [new OctetString({ valueHex: sha256(chain[0]) })] })] })],
            }),
          ),
        ],
      }),
    })
    const signed = new SignedData({
      version: 1,
      encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
      digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: SHA256_OID })],
      signerInfos: [signer],
      certificates,
    })
    const importParameters = { hash: 'SHA-256', ...algorithm }
    const signingKey = await webcrypto.subtle.importKey('pkcs8', key, importParameters, false, ['sign'])
    await signed.sign(signingKey as CryptoKey, 0, 'SHA-256', new Uint8Array(pdf).buffer)
    const content = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
    return Buffer.from(content.toSchema().toBER())
  }
}

/** By this many bytes, ECDSA signatures differ in length. */
const MAX_DIFFERENCE = 8

/** The bytes that a signature takes, with few to spare: those after it are not part of what it signs. */
export const measureSignature = async (signing: SigningKey): Promise<number> =>
  (await new PadesSigner(signing).sign(Buffer.alloc(0))).length + (signing.algorithm.name === 'ECDSA' ? MAX_DIFFERENCE : 0)

/** Reserves the room for a signature on the present page. */
export const addSignatureField = ({ internals }: TaggedPdf, { chain }: SigningKey, size: number, at: Date): void => {
  // A `String` is a text for the library, and a `string` a name.
  const toText = (text: string): object => new String(text)
  const [certificate] = chain
  const signature = internals.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, '**********', '**********', '**********'],
    Contents: Buffer.alloc(size),
    Name: toText(certificate ? getSubjectName(new X509Certificate(certificate)) : ''),
    Reason: toText('Made by Homeroom'),
    M: at,
  })
  const field = internals.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    // Not visible: the cover says who signed.
    Rect: [0, 0, 0, 0],
    // Printed, and locked.
    F: 132,
    T: toText('Signature'),
    TU: toText('Signature of this dossier'),
    V: signature,
    P: internals.page.dictionary,
  })
  internals.page.annotations.push(field)
  const form = internals.ref({ SigFlags: 3, Fields: [field] })
  internals._root.data['AcroForm'] = form
  for (const one of [signature, field, form]) one.end()
  // The library ends only forms of its own, which have fonts.
  internals.endAcroForm = () => {}
}

export const signPdf = (pdf: Buffer, signing: SigningKey): Promise<Buffer> => new SignPdf().sign(pdf, new PadesSigner(signing))

/** What the signature in a file says. */
export interface SignatureCheck {
  readonly state: 'none' | 'valid' | 'invalid'
  /** The name in the certificate. */
  readonly by: string | null
  /** The SHA-256 of the certificate. */
  readonly certificate: string | null
}
const NO_SIGNATURE: SignatureCheck = { state: 'none', by: null, certificate: null }
const BYTE_RANGE = /^\/ByteRange ?\[0 (\d{1,10}) (\d{1,10}) (\d{1,10})\]/
/** A signature with its certificates is shorter; the digits of a longer one are not parsed. */
const MAX_SIGNATURE_BYTES = 100_000

/** Whether the bytes after a structure in DER are zeros. */
const hasOnlyZerosAfter = (der: Buffer): boolean => {
  const { offset } = fromBER(der)
  return offset > 0 && der.subarray(offset).every((byte) => byte === 0)
}

interface Structure {
  readonly valueBlock: { readonly value?: readonly Structure[]; readonly valueHexView?: Uint8Array }
}

/** The SHA-256 of the certificate that the signer signed with: another one with the same number would verify too. */
const findNamedCertificate = ({ signedAttrs }: SignerInfo): string | null => {
  const attribute = signedAttrs?.attributes.find(({ type }) => type === OIDS.signingCertificate)
  let structure = attribute?.values[0] as Structure | undefined
  for (let depth = 0; depth < 3; depth++) structure = structure?.valueBlock.value?.[0]
  return structure?.valueBlock.valueHexView ? Buffer.from(structure.valueBlock.valueHexView).toString('hex') : null
}

/** Checks the last signature of a PDF: that it is of its certificate, and covers all of the file. */
export const checkSignature = async (file: Uint8Array): Promise<SignatureCheck> => {
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const at = pdf.lastIndexOf('/ByteRange')
  const found = at === -1 ? null : BYTE_RANGE.exec(pdf.subarray(at, at + 200).toString('latin1'))
  if (!found) return at === -1 ? NO_SIGNATURE : { ...NO_SIGNATURE, state: 'invalid' }
  const [first = 0, second = 0, length = 0] = found.slice(1).map(Number)
  const invalid: SignatureCheck = { ...NO_SIGNATURE, state: 'invalid' }
  if (first >= second || second - first > 2 * MAX_SIGNATURE_BYTES || second + length > pdf.length) return invalid
  const hex = pdf.subarray(first, second).toString('latin1')
  if (!/^<[\da-f]+>$/i.test(hex)) return invalid
  try {
    const der = Buffer.from(hex.slice(1, -1), 'hex')
    const signed = new SignedData({ schema: ContentInfo.fromBER(der).content })
    const [certificate] = (signed.certificates ?? []).filter((one): one is Certificate => one instanceof Certificate)
    const [signer] = signed.signerInfos
    if (!certificate || !signer) return invalid
    const ownDer = Buffer.from(certificate.toSchema().toBER())
    const named = { by: getSubjectName(new X509Certificate(ownDer)), certificate: await digest(new Uint8Array(ownDer)) }
    const data = Buffer.concat([pdf.subarray(0, first), pdf.subarray(second, second + length)])
    const isOf = signer.sid instanceof IssuerAndSerialNumber && signer.sid.serialNumber.isEqual(certificate.serialNumber)
    const isNamed = findNamedCertificate(signer) === named.certificate
    const isWhole = second + length === pdf.length && hasOnlyZerosAfter(der)
    const verified = signed.verify({ signer: 0, data: new Uint8Array(data).buffer }).catch(() => false)
    return { state: isOf && isNamed && isWhole && (await verified) ? 'valid' : 'invalid', ...named }
  } catch {
    return invalid
  }
}
