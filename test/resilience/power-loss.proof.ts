import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { readNumberOptions, runProof } from '../support/proof.ts'
import { checkNothingLost, withNetworkUnderLoad } from '../support/writers/network-under-load.ts'
import { createFailingDisk } from './power-loss/failing-disk.ts'

// The disk of the data folder loses power while eight users write: nothing that was acknowledged is lost.

const { cuts } = readNumberOptions({ cuts: 10 })
/** How long the writers write between two power cuts, in milliseconds. */
const getDelay = (at: number): number => 1500 + ((at * 379) % 2000)

await runProof('power-loss', async (proof) => {
  await using disk = await createFailingDisk()
  await withNetworkUnderLoad({ DATA_DIR: join(disk.folder, 'data') }, async (network) => {
    const { server, writers } = network
    const took: number[] = []
    for (let at = 0; at < cuts; at++) {
      await pause(getDelay(at))
      await server.locateDatabase()
      // A machine without power sends no responses; only acknowledgements at this moment count.
      writers.setServerDown(true, { isMute: true })
      disk.cut(at % 2 === 0)
      await server.kill()
      await server.killDatabase()
      await disk.mountAgain()
      writers.setServerDown(true)
      took.push(await server.start())
      writers.setServerDown(false)
      proof.log(`Cut ${at + 1}: ${writers.tally.acknowledged.length} saves were acknowledged so far`)
    }
    await pause(1000)
    proof.report('Times the power was cut', cuts)
    proof.report('Longest until the server was ready again, in seconds', Math.max(...took) / 1000)
    await checkNothingLost(proof, network)
  })
})
