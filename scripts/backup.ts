import { backupCommand } from '../src/backup/command.server.ts'

const { env: environment, stdout: out, stderr: err } = process
process.exitCode = await backupCommand(process.argv.slice(2), { environment, out, err })
