import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

import { ImportError } from '../../../platform/server/import-error.ts'
import { BrokenZip, findZipData, listZipEntries } from '../../../platform/server/zip-entries.ts'

const inflate = promisify(inflateRaw)
const MAX_FILES = 20_000
/** The limit of all files together when they are unpacked. */
const MAX_UNPACKED_BYTES = 268_435_456

/** Unpacks a ZIP of the old program's folder for as long as the work takes. Files outside of the folder are refused. */
export const withUnpackedFolder = async <T>(bytes: Uint8Array, fileName: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const root = await mkdtemp(join(tmpdir(), 'homeroom-import-'))
  // The last part of the path is the name of the import in the history.
  const folder = join(
    root,
    basename(fileName)
      .replaceAll(/[^\w. -]/g, '_')
      .replace(/\.zip$/i, '') || 'folder',
  )
  try {
    await mkdir(folder)
    await unpack(bytes, folder)
    return await work(folder)
  } catch (error) {
    throw error instanceof BrokenZip ? new ImportError(`This file is not a ZIP that can be read: ${error.message}`) : error
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

const unpack = async (bytes: Uint8Array, folder: string): Promise<void> => {
  if (bytes.length < 22 || bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new BrokenZip('it is another kind of file')
  const entries = listZipEntries(bytes).filter(({ name }) => !name.endsWith('/'))
  const size = entries.reduce((total, { unpacked }) => total + unpacked, 0)
  if (entries.length > MAX_FILES || size > MAX_UNPACKED_BYTES)
    throw new ImportError('This ZIP is too large when it is unpacked. Use the command "homeroom import legacy".')
  for (const entry of entries) {
    const name = normalize(entry.name.replaceAll('\\', '/'))
    if (name.startsWith('..') || name.startsWith('/') || name.includes('\0'))
      throw new BrokenZip(`it has a file outside of its folder: ${entry.name}`)
    const packed = findZipData(bytes, entry)
    const data =
      entry.method === 0
        ? packed
        : await inflate(packed, { maxOutputLength: Math.max(1, entry.unpacked) }).catch(() => {
            throw new BrokenZip('it is cut off or damaged')
          })
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), data)
  }
}
