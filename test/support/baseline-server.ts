import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startProgram } from './server-process.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

export interface BaselineServer {
  readonly port: number
  readonly stop: () => Promise<void>
}

const PROGRAM = fileURLToPath(new URL('baseline-server-program.ts', import.meta.url))

/** Starts a plain `node:http` server that sends these bytes, in a separate process. */
export const startBaselineServer = async (bytes: Buffer, encoding = ''): Promise<BaselineServer> => {
  const folder = await createTemporaryFolder()
  const file = join(folder, 'body')
  await writeFile(file, bytes)
  const program = startProgram(process.execPath, [PROGRAM, file, encoding], {})
  const [, port] = await program.waitForLine(/Port: (\d+)/)
  return {
    port: Number(port),
    stop: async () => {
      program.child.kill()
      await program.ended
      await removeFolder(folder)
    },
  }
}
