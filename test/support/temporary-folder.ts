import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder under the system's temporary one. As root, the database runs as another user, who needs access as well. */
export const createTemporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-test-'))
  await chmod(folder, 0o711)
  return folder
}

/** Where Linux keeps files in memory; containers often have little of it. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 * 1024 ** 3

const hasMemoryFolder = async (): Promise<boolean> => {
  try {
    await access(MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(MEMORY)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}

/** A folder for data that is often created and removed: in memory if there is room, since creating a database on disk takes many times as long. */
export const createDataFolder = async (): Promise<string> => {
  if (!(await hasMemoryFolder())) return createTemporaryFolder()
  const folder = await mkdtemp(join(MEMORY, 'homeroom-test-'))
  await chmod(folder, 0o711)
  return folder
}

/** A temporary folder that is removed when it is disposed of. */
export const openTemporaryFolder = async (): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = await createTemporaryFolder()
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) }
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
