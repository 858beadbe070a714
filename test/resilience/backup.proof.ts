import { parseArgs } from 'node:util'

import { runProof } from '../support/proof.ts'
import { runBackupProof } from './backup/backup-restore.ts'

// A backup made during writes is a single snapshot of the network; restored into an empty database of either kind, the server's responses are byte
// for byte the same.

const { values } = parseArgs({
  options: {
    backups: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '65' },
    spoilt: { type: 'string', default: '200' },
    kills: { type: 'string', default: '4' },
    write: { type: 'boolean' },
  },
})

await runProof('backup', (proof) =>
  runBackupProof(proof, {
    backups: Number(values.backups),
    seconds: Number(values.seconds),
    damaged: Number(values.spoilt),
    kills: Number(values.kills),
  }),
)
