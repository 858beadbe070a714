// `npm run prove:NAME` runs one proof, `npm run prove` all of them in sequence; `-- --write` records the figures in docs/developers/proofs.md. First
// runs setup, like `npm start` and `npm test`, on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Proofs that open pages in a browser. */
const IN_A_BROWSER = new Set(['access', 'split-deployment', 'pages', 'payloads'])

/** @param {string} program @param {string[]} args */
const run = (program, args) => spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status === 0

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const known = Object.keys(scripts).flatMap((script) => /^prove:(.+)$/.exec(script)?.[1] ?? [])
const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('-'))
const chosen = firstOption === -1 ? words : words.slice(0, firstOption)
const options = words.slice(chosen.length)
const names = chosen.length === 0 ? known : chosen
for (const name of names.filter((one) => !known.includes(one))) {
  process.stderr.write(`There is no proof "${name}"; there are ${known.join(', ')}\n`)
  process.exit(1)
}

if (!run(process.execPath, ['scripts/setup.mjs', 'start'])) process.exit(1)
if (names.some((name) => IN_A_BROWSER.has(name)) && !run(process.execPath, ['scripts/setup.mjs', 'test'])) process.exit(1)
/** @type {string[]} */
const failed = []
for (const name of names) {
  process.stdout.write(`\n── prove:${name}\n`)
  if (!run('node_modules/.bin/node', [...globSync(`test/*/${name}.proof.ts`, { cwd: ROOT }), ...options])) failed.push(name)
}
if (failed.length > 0) process.stdout.write(`\nNot proved: ${failed.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
