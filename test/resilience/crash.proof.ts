import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type Proof, readNumberOptions, runProof } from '../support/proof.ts'
import { openTemporaryFolder } from '../support/temporary-folder.ts'
import { type NetworkUnderLoad, checkNothingLost, withNetworkUnderLoad } from '../support/writers/network-under-load.ts'

// `kill -9` of the server and its private database while eight users write: nothing that was acknowledged is lost.

/** How long the writers write between two kills, in milliseconds: from almost no time to long enough for mails to be sent. */
const getDelay = (at: number): number => 30 + ((at * 379) % 1500)
/** Every this many kills, the server is killed while it starts. */
const WHILE_STARTING = 10

/** Kills the server and its database this many times, and compares what was acknowledged with what is stored. */
export const runCrashProof = async (proof: Proof, { servers, databases }: { servers: number; databases: number }): Promise<void> => {
  await using folder = await openTemporaryFolder()
  await withNetworkUnderLoad({ DATA_DIR: join(folder.path, 'data') }, async (network) => {
    await pause(2000)
    const afterServers = await killServers(network, servers)
    proof.log(`The server was killed ${servers} times; ${network.writers.tally.acknowledged.length} saves were acknowledged so far`)
    const afterDatabases = await killDatabases(network, databases)
    await pause(1000)
    proof.report('Times the server was killed with -9', servers)
    proof.report('Times the database was killed with -9', databases)
    proof.expectAtMost('Longest until the server was ready again', Math.max(...afterServers) / 1000, 10, 's')
    proof.expectAtMost('Longest until the database was ready again', Math.max(...afterDatabases.took) / 1000, 10, 's')
    proof.expectEqual('Times the server exited with its database', afterDatabases.exits, 0)
    await checkNothingLost(proof, network)
  })
}

const killServers = async ({ server, writers }: NetworkUnderLoad, times: number): Promise<number[]> => {
  const took: number[] = []
  for (let at = 0; at < times; at++) {
    await pause(getDelay(at))
    writers.setServerDown(true)
    await server.kill()
    if (at % WHILE_STARTING === WHILE_STARTING - 1 && at + 1 < times) {
      server.spawn()
      await pause(getDelay(at) / 2)
      await server.kill()
      at++
    }
    took.push(await server.start())
    writers.setServerDown(false)
  }
  return took
}

const killDatabases = async ({ server }: NetworkUnderLoad, times: number): Promise<{ took: number[]; exits: number }> => {
  const took: number[] = []
  let exits = 0
  for (let at = 0; at < times; at++) {
    await pause(200 + getDelay(at))
    await server.killDatabase()
    const from = performance.now()
    if (server.isRunning) await server.waitUntilReady()
    took.push(performance.now() - from)
    if (server.isRunning) continue
    exits++
    await server.start()
  }
  return { took, exits }
}

if (import.meta.main) await runProof('crash', (proof) => runCrashProof(proof, readNumberOptions({ servers: 50, databases: 20 })))
