import { open } from 'node:fs/promises'

/** Flushes a folder's entries to disk: after a power cut a file is only found if its name was flushed too. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
