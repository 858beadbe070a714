#!/usr/bin/env node
// The command `homeroom`. Plain JavaScript, so that older versions of Node can report that they are too old.
const LEAST_NODE = 24

if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
  process.stderr.write(`Homeroom needs Node ${LEAST_NODE} or newer; ${process.execPath} is ${process.version}\n`)
  process.exit(1)
}
const { runCommandLine } = await import('../src/command-line/command-line.server.ts')
await runCommandLine(process.argv.slice(2))
