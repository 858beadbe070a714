import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import type { ListSource } from './list-cache.ts'
import { ListCache } from './list-cache.ts'

const json = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ name: `Site ${at}`, city: 'Élan', number: at * 7919 })))
const source = (text: string): ListSource => ({ reads: ['site'], build: async () => text })
const listOf = (text: string) => new ListCache({ db: undefined as never, pool: undefined as never }).get('list', source(text))
const textOf = ({ pieces }: { pieces: readonly Buffer[] }): string => Buffer.concat(pieces).toString()

const unpacked = {
  br: (pieces: readonly Buffer[]) => brotliDecompressSync(Buffer.concat(pieces)).toString(),
  gzip: (pieces: readonly Buffer[]) => gunzipSync(Buffer.concat(pieces)).toString(),
}

describe('a long list', () => {
  test('is whole in every form, however many are asked for at once', async () => {
    const list = await listOf(json)
    const [br, gzip, again] = await Promise.all([list.form('br'), list.form('gzip'), list.form('br')])
    expect(unpacked.br(br.pieces) === json).toBe(true)
    expect(unpacked.gzip(gzip.pieces) === json).toBe(true)
    expect(again).toBe(br)
    expect(list.formNow('plain')).toBeUndefined()
  })

  test('stays whole for whoever is being sent it while it is packed', async () => {
    const list = await listOf(json)
    const sent = list.formNow('plain') ?? { pieces: [] }
    await list.form('br')
    expect(textOf(sent) === json).toBe(true)
  })

  test('lets its plain form go once a packed one is there, and has it again for whoever asks', async () => {
    const list = await listOf(json)
    expect(list.length).toBe(Buffer.byteLength(json))
    for (const packing of ['br', 'gzip'] as const) {
      const packed = await list.form(packing)
      expect(packed.length).toBeLessThan(list.length / 2)
      expect(list.formNow(packing)).toBe(packed)
    }
    expect(list.formNow('plain')).toBeUndefined()
    const [first, second] = await Promise.all([list.form('plain'), list.form('plain')])
    expect(textOf(first)).toBe(json)
    expect(second).toBe(first)
    expect(list.formNow('plain')).toBe(first)
  })

  test('keeps its plain form where that was asked for first', async () => {
    const list = await listOf(json)
    const plain = await list.form('plain')
    await list.form('br')
    expect(list.formNow('plain')).toBe(plain)
  })
})

test('a short list keeps every form', async () => {
  const list = await listOf('[{"name":"Lodi"}]')
  await list.form('br')
  expect(textOf(list.formNow('plain') ?? { pieces: [] })).toBe('[{"name":"Lodi"}]')
})
