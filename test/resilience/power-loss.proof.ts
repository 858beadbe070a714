import { readNumberOptions, runProof } from '../support/proof.ts'
import { runPowerProof } from './power-loss/power-cuts.ts'

// The disk of the data folder loses power while eight users write: nothing that was acknowledged is lost.

const { cuts } = readNumberOptions({ cuts: 10 })

await runProof('power-loss', (proof) => runPowerProof(proof, cuts))
