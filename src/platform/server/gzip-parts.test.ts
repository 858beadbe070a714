import { crc32, gunzipSync } from 'node:zlib'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { buildGzip, compressPart, toStoredPart, decompressPart } from './gzip-parts.ts'

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => Buffer.from(text.repeat(500))),
)

test('parts compressed separately form one gzip file, whatever their bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 6 }), async (all) => {
      const parts = await Promise.all(all.map((one) => compressPart(Buffer.from(one))))
      const between = parts.flatMap((part, at) => (at === 0 ? [part] : [toStoredPart(','), part]))
      const plain = Buffer.concat(all.flatMap((one, at) => (at === 0 ? [one] : [Buffer.from(','), one])))
      // gunzip itself verifies the checksum and the length.
      expect(
        gunzipSync(Buffer.concat(buildGzip([toStoredPart('['), ...between, toStoredPart(']')]))).equals(
          Buffer.concat([Buffer.from('['), plain, Buffer.from(']')]),
        ),
      ).toBe(true)
      for (const [at, part] of parts.entries()) expect((await decompressPart(part)).equals(Buffer.from(all[at] ?? []))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a part has the checksum of its uncompressed bytes', async () => {
  expect((await compressPart(Buffer.from('Lodi'))).crc).toBe(crc32('Lodi'))
})
