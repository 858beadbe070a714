import { readNumberOptions, runProof } from '../support/proof.ts'
import { runBackupProof } from './backup/backup-restore.ts'

// A backup made during writes is a single snapshot of the network; after a restore into an empty database of either kind, the server's responses are
// byte for byte the same.

const { damaged, ...extent } = readNumberOptions({ backups: 3, seconds: 65, damaged: 200, kills: 4 })

await runProof('backup', (proof) => runBackupProof(proof, { ...extent, damaged }))
