import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { getErrorCode } from './error-code.ts'

export const pathExists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Creates a folder and its parents; returns whether it was missing. Node's `recursive` loops forever if a parent accepts no folders (/proc). */
export const createFolders = async (folder: string, mode?: number): Promise<boolean> => {
  if (await pathExists(folder)) return !(await stat(folder)).isDirectory() && mkdir(folder).then(() => true)
  if (!(await pathExists(dirname(folder)))) await createFolders(dirname(folder))
  await mkdir(folder, mode === undefined ? {} : { mode }).catch((error: unknown) => {
    if (getErrorCode(error) !== 'EEXIST') throw error // another process was faster
  })
  return true
}

/** Throws if a folder is not writable. The name of the test file is unique: containers on one volume share process numbers. */
export const assertWritable = async (folder: string): Promise<void> => rmdir(await mkdtemp(join(folder, '.writable-')))
