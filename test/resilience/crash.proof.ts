import { parseArgs } from 'node:util'

import { runProof } from '../support/proof.ts'
import { runCrashProof } from './crash/crashes.ts'

// `kill -9` of the server and its private database while eight users write: nothing that was acknowledged is lost.

const { values } = parseArgs({
  options: { servers: { type: 'string', default: '50' }, databases: { type: 'string', default: '20' }, write: { type: 'boolean' } },
})

await runProof('crash', (proof) => runCrashProof(proof, { servers: Number(values.servers), databases: Number(values.databases) }))
