import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { listZipEntries } from '../../src/platform/server/zip-entries.ts'

/** The files of a ZIP by name. */
export const unzip = (zip: Buffer): Map<string, Buffer> =>
  new Map(
    listZipEntries(zip).map(({ name, offset, packed }) => {
      const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
      return [name, inflateRawSync(zip.subarray(begin, begin + packed))]
    }),
  )

/** A ZIP file whose entries may declare false sizes. */
export const zip = (entries: readonly { name: string; bytes: Buffer; declaredSize?: number }[]): Buffer => {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, bytes, declaredSize = bytes.length } of entries) {
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(declaredSize, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(declaredSize, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    locals.push(local, Buffer.from(name), packed)
    central.push(entry, Buffer.from(name))
    at += local.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(central).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...central, end])
}
