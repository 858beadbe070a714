import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Makes a folder and those above it; answers whether it was missing. Node's own `recursive` never ends where a parent takes no folders (/proc). */
export const createFolders = async (folder: string, mode?: number): Promise<boolean> => {
  if (await exists(folder)) return !(await stat(folder)).isDirectory() && mkdir(folder).then(() => true)
  if (!(await exists(dirname(folder)))) await createFolders(dirname(folder))
  await mkdir(folder, mode === undefined ? {} : { mode }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error // another process was faster
  })
  return true
}

/** Throws where a folder cannot be written. The name tried is no one else's: containers on one volume share process numbers. */
export const assertWritable = async (folder: string): Promise<void> => rmdir(await mkdtemp(join(folder, '.writable-')))
