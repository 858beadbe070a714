import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { makeDossier, makeDossierCharter, type MadeDossier } from '../../../test/support/dossiers.ts'
import { readPdf } from '../../../test/support/pdf.ts'
import { findProgram } from '../../../test/support/programs.ts'
import { createSigningCertificate } from '../../../test/support/signing-certificate.ts'
import { createTemporaryFolder, removeFolder } from '../../../test/support/temporary-folder.ts'
import { readSigningCertificate } from '../../platform/server/signing-certificate.ts'
import { type Verification, verifyDossier } from './contract.ts'
import { MAX_FILE_BYTES } from './rules.ts'

const run = promisify(execFile)
const verify = (net: TestApp, bytes: Uint8Array): Promise<Verification> =>
  net.anonymous.send(verifyDossier, { file: new Blob([new Uint8Array(bytes)]) })

const changeByte = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

describe.each(['RSA', 'ECDSA'] as const)('a dossier that is signed with %s', (kind) => {
  let net: TestApp
  let made: MadeDossier

  beforeAll(async () => {
    const folder = await createTemporaryFolder()
    const { certificate, key } = createSigningCertificate(folder, kind)
    // One as a file, and the other as the text itself.
    net = await startApp({ DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: readFileSync(key, 'utf8') })
    await removeFolder(folder)
    const { charter } = await makeDossierCharter(net)
    made = await makeDossier(net.as(6), { charter: charter._id })
  })

  test('says who signed it, and everyone can verify it without an account', async () => {
    expect(made.dossier.signedBy).toBe('Sample Schools Records')
    expect((await readPdf(made.pdf)).pages[0]).toContain('By Sample Schools Records')
    const { _id, on, from, to, madeAt, change } = made.dossier
    expect(await verify(net, made.pdf)).toEqual({
      result: 'unchanged',
      file: 'pdf',
      dossier: { _id, on, from, to, madeAt, change, signedBy: 'Sample Schools Records', charter: 'Łódź Nguyễn Academy' },
      signature: { state: 'valid', by: 'Sample Schools Records', isOfDossier: true },
    })
    expect(await verify(net, made.zip)).toMatchObject({ result: 'unchanged', file: 'zip', dossier: { _id }, signature: { state: 'none' } })
  })

  test('is recognized after a byte of it was changed, wherever it is', async () => {
    const { pdf } = made
    const contents = pdf.indexOf('/Contents <')
    const places = [
      20,
      contents + 100,
      contents + 1000,
      pdf.length - 2,
      ...Array.from({ length: 12 }, (_, at) => Math.floor((pdf.length * (at + 0.5)) / 12)),
    ]
    for (const at of places) {
      const { result, dossier, signature } = await verify(net, changeByte(pdf, at))
      expect([at, result, dossier?._id, signature.state]).toEqual([at, 'changed', made.dossier._id, 'invalid'])
    }
    expect(await verify(net, Buffer.concat([pdf, Buffer.from('\n')]))).toMatchObject({ result: 'changed', signature: { state: 'invalid' } })
    expect(await verify(net, pdf.subarray(0, pdf.length - 1))).toMatchObject({ result: 'changed', signature: { state: 'invalid' } })
  })

  test('has a PAdES signature that pdfsig calls valid, and invalid after a byte was changed', async (context) => {
    const pdfsig = findProgram('pdfsig')
    if (pdfsig === undefined) return context.skip('pdfsig is not installed: install the package poppler-utils')
    const folder = await createTemporaryFolder()
    const path = join(folder, 'dossier.pdf')
    const check = async (bytes: Buffer): Promise<string> => {
      writeFileSync(path, bytes)
      return (await run(pdfsig, [path])).stdout
    }
    const valid = await check(made.pdf)
    for (const line of [
      'Signature is Valid.',
      'Signature Type: ETSI.CAdES.detached',
      'Total document signed',
      'Signer Certificate Common Name: Sample Schools Records',
    ])
      expect(valid).toContain(line)
    const changed = await check(changeByte(made.pdf, Math.floor(made.pdf.length / 2)))
    expect(changed).not.toContain('Signature is Valid.')
    await removeFolder(folder)
    return undefined
  })
})

describe('a file that is dropped on /verify', () => {
  let net: TestApp
  let made: MadeDossier
  beforeAll(async () => {
    net = await startApp()
    const { charter } = await makeDossierCharter(net, 1)
    made = await makeDossier(net.as(6), { charter: charter._id, parts: ['terms'] })
  })

  test('is verified by its sum if it is not signed', async () => {
    expect(await verify(net, made.pdf)).toMatchObject({ result: 'unchanged', signature: { state: 'none', by: null, isOfDossier: false } })
    expect(await verify(net, changeByte(made.pdf, 500))).toMatchObject({
      result: 'changed',
      dossier: { _id: made.dossier._id },
      signature: { state: 'none' },
    })
  })

  test('is unknown if this server did not make it', async () => {
    const unknown = { result: 'unknown', file: null, dossier: null, signature: { state: 'none', by: null, isOfDossier: false } }
    for (const text of ['Hello', '%PDF-1.7 urn:uuid:0198aaaa-0000-7000-8000-000000000001', 'urn:uuid:'.repeat(10_000)])
      expect(await verify(net, Buffer.from(text))).toEqual(unknown)
  })

  test.each([
    ['of a range without a place', '/ByteRange [0 1 2 3]'],
    ['of a range beyond the file', '/ByteRange [0 5 9999999999 1]'],
    ['that is not hexadecimal', '/ByteRange [0 20 40 9] <zz>'],
    ['that is not a structure', `/ByteRange [0 25 65 0]   <${'30'.repeat(19)}> `],
    ['without an end', `/ByteRange [0 9 9 9`],
    ['of a number that is too long', `/ByteRange [0 ${'9'.repeat(100_000)} 1 1]`],
  ])('has no valid signature with one %s', async (_, text) => {
    expect((await verify(net, Buffer.from(text))).signature).toEqual({ state: 'invalid', by: null, isOfDossier: false })
  })

  test('is refused if it is empty, too large, or not a file', async () => {
    const send = (size: number) => net.anonymous.trySend(verifyDossier, { file: new Blob([new Uint8Array(size)]) })
    expect((await send(0)).statusCode).toBe(422)
    const tooLarge = await send(MAX_FILE_BYTES + 1)
    expect([tooLarge.statusCode, tooLarge.json<{ title: string }>().title]).toEqual([
      413,
      'This file is larger than 24 MB, so it is not a dossier.',
    ])
    expect((await net.anonymous.request('POST', '/api/verify', { payload: {} })).statusCode).toBe(415)
  })
})

describe('the certificate', () => {
  test.each([
    ['one setting without the other', () => ({ DOSSIER_KEY: 'key.pem' }), /DOSSIER_CERTIFICATE must be set if DOSSIER_KEY is/],
    [
      'a file that is missing',
      () => ({ DOSSIER_CERTIFICATE: '/nowhere/a.pem', DOSSIER_KEY: '/nowhere/b.pem' }),
      /DOSSIER_CERTIFICATE cannot be read/,
    ],
    [
      'a file that has no certificate',
      ({ key }: Paths) => ({ DOSSIER_CERTIFICATE: key, DOSSIER_KEY: key }),
      /it contains no certificate in PEM format/,
    ],
    [
      'a key of another certificate',
      ({ certificate, other }: Paths) => ({ DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: other }),
      /DOSSIER_KEY does not belong to the first certificate/,
    ],
    [
      'a certificate instead of a key',
      ({ certificate }: Paths) => ({ DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: certificate }),
      /it contains no private key in PEM format/,
    ],
  ])('is refused at the start: %s', async (_, settings, message) => {
    const folder = await createTemporaryFolder()
    const { certificate, key } = createSigningCertificate(folder, 'RSA')
    const other = createSigningCertificate(folder, 'ECDSA').key
    const { mistakes } = readSigningCertificate(settings({ certificate, key, other }))
    expect(mistakes.map((mistake) => mistake.message).join(' ')).toMatch(message)
    expect(JSON.stringify(mistakes)).not.toContain('PRIVATE KEY-----')
    await removeFolder(folder)
  })

  test('does not sign once it has expired', async () => {
    const folder = await createTemporaryFolder()
    const { certificate, key } = createSigningCertificate(folder, 'RSA')
    const net = await startApp(
      { DOSSIER_CERTIFICATE: certificate, DOSSIER_KEY: key },
      undefined,
      undefined,
      () => new Date(Date.now() + 31 * 86_400_000),
    )
    const { charter } = await makeDossierCharter(net, 1)
    const { dossier, pdf } = await makeDossier(net.as(6), { charter: charter._id, parts: ['terms'] })
    expect(dossier.signedBy).toBeNull()
    expect(await verify(net, pdf)).toMatchObject({ result: 'unchanged', signature: { state: 'none' } })
    await removeFolder(folder)
  })
})

interface Paths {
  readonly certificate: string
  readonly key: string
  readonly other: string
}
