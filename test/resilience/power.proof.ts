import { parseArgs } from 'node:util'

import { runProof } from '../support/proof.ts'
import { runPowerProof } from './power/power-cuts.ts'

// The disk of the data folder loses power while eight users write: nothing that was acknowledged is lost.

const { values } = parseArgs({ options: { cuts: { type: 'string', default: '10' }, write: { type: 'boolean' } } })

await runProof('power', (proof) => runPowerProof(proof, Number(values.cuts)))
