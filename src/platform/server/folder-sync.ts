import { open } from 'node:fs/promises'

/** Has the disk keep the names in a folder: a file that is on it is found again after a power cut only once its name is as well. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
