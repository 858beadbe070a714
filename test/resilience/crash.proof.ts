import { readNumberOptions, runProof } from '../support/proof.ts'
import { runCrashProof } from './crash/crashes.ts'

// `kill -9` of the server and its private database while eight users write: nothing that was acknowledged is lost.

const counts = readNumberOptions({ servers: 50, databases: 20 })

await runProof('crash', (proof) => runCrashProof(proof, counts))
