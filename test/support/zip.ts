import { inflateRawSync } from 'node:zlib'

import { listZipEntries } from '../../src/platform/server/zip-entries.ts'

/** The files of a ZIP by name. */
export const unzip = (zip: Buffer): Map<string, Buffer> =>
  new Map(
    listZipEntries(zip).map(({ name, offset, packed }) => {
      const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
      return [name, inflateRawSync(zip.subarray(begin, begin + packed))]
    }),
  )
