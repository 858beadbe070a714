import { runImportCommand } from '../src/features/exchange/directory-import/command.server.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const { env: environment, stdout: out, stderr: err } = process

process.exitCode = await runImportCommand(process.argv.slice(2), { environment, out, err, stop: stopping.signal })
