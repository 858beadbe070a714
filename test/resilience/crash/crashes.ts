import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Proof } from '../../support/proof.ts'
import {
  type BusyNetwork,
  checkNothingLost,
  removeFolder,
  temporaryFolder,
  withBusyNetwork,
} from '../../support/writers/network-under-load.ts'

interface Counts {
  readonly servers: number
  readonly databases: number
}

/** How long the writers write between two kills, in milliseconds: from hardly at all to long enough for mails to leave. */
const spread = (at: number): number => 30 + ((at * 379) % 1500)
/** Every so many kills of the server one comes while it starts. */
const WHILE_STARTING = 10

/** Kills the server and its database under eight writers, and holds what was promised against what is there. */
export const crash = async (proof: Proof, { servers, databases }: Counts): Promise<void> => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  try {
    await withBusyNetwork(dataDir, async (network) => {
      await pause(2000)
      const afterServers = await killServers(network, servers)
      proof.say(`The server was killed ${servers} times; ${network.writers.tally.acknowledged.length} saves were acknowledged so far`)
      const { took: afterDatabases, ended } = await killDatabases(network, databases)
      await pause(1000)
      proof.tell('Times the server was killed with -9', servers)
      proof.tell('Times the database was killed with -9', databases)
      proof.atMost('Longest until the server was ready again', Math.max(...afterServers) / 1000, 10, 's')
      proof.atMost('Longest until the database was ready again', Math.max(...afterDatabases) / 1000, 10, 's')
      proof.mustBe('Times the server ended with its database', ended, 0)
      await checkNothingLost(proof, network, dataDir)
    })
  } finally {
    await removeFolder(folder)
  }
}

const killServers = async ({ context, writers }: BusyNetwork, times: number): Promise<number[]> => {
  const took: number[] = []
  for (let at = 0; at < times; at++) {
    await pause(spread(at))
    writers.serverIsAway(true)
    await context.kill()
    if (at % WHILE_STARTING === WHILE_STARTING - 1 && at + 1 < times) {
      context.begin()
      await pause(spread(at) / 2)
      await context.kill()
      at++
    }
    took.push(await context.start())
    writers.serverIsAway(false)
  }
  return took
}

const killDatabases = async ({ context }: BusyNetwork, times: number): Promise<{ took: number[]; ended: number }> => {
  const took: number[] = []
  let ended = 0
  for (let at = 0; at < times; at++) {
    await pause(200 + spread(at))
    await context.killDatabase()
    const from = performance.now()
    if (context.isRunning()) await context.ready()
    took.push(performance.now() - from)
    if (context.isRunning()) continue
    ended++
    await context.start()
  }
  return { took, ended }
}
