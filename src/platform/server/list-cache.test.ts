import { tmpdir } from 'node:os'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { ListCache } from './list-cache.ts'
import type { ListSource } from './read-model/list-source.ts'
import type { ReadModel } from './read-model/read-model.ts'

const json = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ name: `Site ${at}`, city: 'Élan', number: at * 7919 })))
const source = (text: string): ListSource => ({ reads: ['site'], build: () => JSON.parse(text) as unknown })
const model = { isReady: true, ready: async () => {}, onChange: () => {} } as unknown as ReadModel
const listOf = (text: string) => new ListCache(model).get('list', source(text))
const textOf = ({ chunks }: { chunks: readonly Buffer[] }): string => Buffer.concat(chunks).toString()

const unpacked = {
  br: (chunks: readonly Buffer[]) => brotliDecompressSync(Buffer.concat(chunks)).toString(),
  gzip: (chunks: readonly Buffer[]) => gunzipSync(Buffer.concat(chunks)).toString(),
}

describe('a long list', () => {
  test('is complete in every form, however many are requested concurrently', async () => {
    const list = await listOf(json)
    const [br, gzip, again] = await Promise.all([list.getForm('br'), list.getForm('gzip'), list.getForm('br')])
    expect(unpacked.br(br.chunks) === json).toBe(true)
    expect(unpacked.gzip(gzip.chunks) === json).toBe(true)
    expect(again).toBe(br)
    expect(list.getFormIfReady('plain')).toBeUndefined()
  })

  test('stays complete for a client that receives it while it is being compressed', async () => {
    const list = await listOf(json)
    const sent = list.getFormIfReady('plain') ?? { chunks: [] }
    await list.getForm('br')
    expect(textOf(sent) === json).toBe(true)
  })

  test('discards its uncompressed form once a compressed one exists, and creates it again on request', async () => {
    const list = await listOf(json)
    expect(list.length).toBe(Buffer.byteLength(json))
    for (const packing of ['br', 'gzip'] as const) {
      const packed = await list.getForm(packing)
      expect(packed.length).toBeLessThan(list.length / 2)
      expect(list.getFormIfReady(packing)).toBe(packed)
    }
    expect(list.getFormIfReady('plain')).toBeUndefined()
    const [first, second] = await Promise.all([list.getForm('plain'), list.getForm('plain')])
    expect(textOf(first)).toBe(json)
    expect(second).toBe(first)
    expect(list.getFormIfReady('plain')).toBe(first)
  })

  test('keeps its uncompressed form if that was requested first', async () => {
    const list = await listOf(json)
    const plain = await list.getForm('plain')
    await list.getForm('br')
    expect(list.getFormIfReady('plain')).toBe(plain)
  })
})

test('a short list keeps every form', async () => {
  const list = await listOf('[{"name":"Lodi"}]')
  await list.getForm('br')
  expect(textOf(list.getFormIfReady('plain') ?? { chunks: [] })).toBe('[{"name":"Lodi"}]')
})

test('a long list of rows keeps no uncompressed form', async () => {
  const rows = JSON.parse(json) as object[]
  const list = await new ListCache(model).get('list', {
    getIds: () => rows.map((_, at) => String(at)),
    toRow: (_model, _id) => rows[Number(_id)],
    findAffected: () => [],
  })
  const { chunks, length } = list.streamPlain?.(tmpdir()) ?? { chunks: [], length: 0 }
  expect(length).toBe(Buffer.byteLength(json))
  expect(Buffer.concat(await Array.fromAsync(chunks, (chunk) => Buffer.from(chunk))).toString() === json).toBe(true)
  expect(list.getFormIfReady('plain')).toBeUndefined()
})
