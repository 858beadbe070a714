import { describe, expect, test } from 'vitest'

import { readIconImages, readIconSize, replaceImages } from './icon-file.ts'

interface Entry {
  readonly start: number
  readonly length: number
}

/** An `.ico` file of these images, whose directory may contain wrong values for one of them. */
const icon = (
  images: readonly Buffer[],
  { count = images.length, declared = {} }: { count?: number; declared?: Partial<Entry> } = {},
): Buffer => {
  const list = Buffer.alloc(6 + images.length * 16)
  list.writeUInt16LE(1, 2)
  list.writeUInt16LE(count, 4)
  let start = list.length
  images.forEach((image, at) => {
    list.writeUInt32LE(declared.length ?? image.length, 6 + at * 16 + 8)
    list.writeUInt32LE(declared.start ?? start, 6 + at * 16 + 12)
    start += image.length
  })
  return Buffer.concat([list, ...images])
}

const bitmap = (width: number, height: number): Buffer => {
  const image = Buffer.alloc(40 + width * 4)
  image.writeUInt32LE(40, 0)
  image.writeInt32LE(width, 4)
  image.writeInt32LE(height * 2, 8)
  return image
}

const png = (width: number, height: number): Buffer => {
  const image = Buffer.alloc(60)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(image)
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}

test('the size of an icon is that of its largest image, bitmap or PNG', () => {
  expect(readIconSize(icon([bitmap(16, 16), png(256, 256), bitmap(32, 32)]))).toEqual({ width: 256, height: 256 })
  expect(readIconSize(icon(Array.from({ length: 64 }, () => bitmap(16, 16))))).toEqual({ width: 16, height: 16 })
})

test('its images have at most two million pixels together', () => {
  expect(readIconSize(icon([png(1024, 1024), png(1024, 1024)]))).toEqual({ width: 1024, height: 1024 })
  expect(readIconSize(icon([png(1024, 1024), png(1024, 1024), bitmap(1, 1)]))).toBeNull()
  expect(readIconSize(icon(Array.from({ length: 64 }, () => png(1024, 1024))))).toBeNull()
})

describe('an invalid icon', () => {
  const image = bitmap(16, 16)
  test.each<[string, Buffer]>([
    ['an empty file', Buffer.alloc(0)],
    ['a header only', icon([])],
    ['a cursor', ((cursor: Buffer) => (cursor.writeUInt16LE(2, 2), cursor))(icon([image]))],
    ['a list of 65 images', icon(Array.from({ length: 65 }, () => image))],
    ['an image list longer than the file', icon([image], { count: 60 })],
    ['an image list with an image missing', icon([image], { count: 2 })],
    ['an image that begins inside the image list', icon([image], { declared: { start: 10 } })],
    ['an image that begins after the end of the file', icon([image], { declared: { start: 5000 } })],
    ['an image longer than the file', icon([image], { declared: { length: 4_294_967_295 } })],
    ['an image that is neither PNG nor bitmap', icon([Buffer.from('<script>alert(1)</script>'.padEnd(80))])],
    ['an image of no size', icon([bitmap(0, 16)])],
    ['an image of a size that icons do not have', icon([png(30_000, 30_000)])],
    ['overlapping images', ((twice: Buffer) => (twice.writeUInt32LE(twice.readUInt32LE(18), 34), twice))(icon([image, image]))],
    ['a truncated file', icon([image]).subarray(0, -1)],
    ['a file with data after its images', Buffer.concat([icon([image]), Buffer.from('<script>')])],
  ])('%s', (_what, bytes) => {
    expect(readIconSize(bytes)).toBeNull()
  })
})

test('an icon with replaced images is a valid icon', () => {
  const bytes = icon([bitmap(16, 16), png(32, 32)])
  expect(readIconImages(bytes).map(({ isPng }) => isPng)).toEqual([false, true])
  expect(
    replaceImages(
      bytes,
      readIconImages(bytes).map((image) => image.bytes),
    ),
  ).toEqual(bytes)
  const other = replaceImages(bytes, [bitmap(16, 16), png(48, 48)])
  expect(readIconSize(other)).toEqual({ width: 48, height: 48 })
  expect(Buffer.from(readIconImages(other)[1]?.bytes ?? []).equals(png(48, 48))).toBe(true)
})
