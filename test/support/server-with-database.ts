import { join } from 'node:path'

import { type Configuration, readConfiguration } from '../../src/platform/server/configuration.ts'
import { openConfiguredDatabase, type OpenedDatabase } from '../../src/platform/server/database.ts'
import { getFreePort } from './free-port.ts'
import { type RunningProgram, startHomeroom } from './server-process.ts'
import { createDataFolder, removeFolder } from './temporary-folder.ts'

/** A server as run by `npm start`, with its own data folder and direct access to its database. */
export interface ServerWithDatabase {
  readonly url: string
  readonly dataDir: string
  readonly configuration: Configuration
  readonly db: OpenedDatabase['db']
  readonly program: RunningProgram
  readonly stop: () => Promise<void>
}

export const startServerWithDatabase = async (environment: Readonly<Record<string, string>> = {}): Promise<ServerWithDatabase> => {
  const folder = await createDataFolder()
  const port = String(await getFreePort())
  const settings = { PORT: port, DATA_DIR: join(folder, 'data'), SAMPLE: '3', LOG_LEVEL: 'error', ...environment }
  const program = startHomeroom(settings)
  try {
    await program.waitForLine(/^Ready: /m)
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
  const configuration = readConfiguration(settings)
  const { db, stop } = await openConfiguredDatabase(configuration, 'guest', () => {})
  return {
    url: configuration.publicUrl,
    dataDir: settings.DATA_DIR,
    configuration,
    db,
    program,
    stop: async () => {
      await stop()
      program.child.kill('SIGTERM')
      await program.ended
      await removeFolder(folder)
    },
  }
}
