#!/usr/bin/env node
// `homeroom start|doctor|import|backup|restore|version`: the installed program's commands. It installs nothing and changes nothing in its folder.
// With `--unit FILE` a command gets the user and the environment of that service. Plain JavaScript, so that any Node can say that it is too old.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'

import { readUnit } from './unit.mjs'

const LEAST_NODE = 24
const COMMANDS = ['start', 'doctor', 'import', 'backup', 'restore', 'version']

/**
 * @param {string} line
 * @returns {never}
 */
const fail = (line) => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** @param {string} flag @param {string} user */
const idOf = (flag, user) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout?.trim() || NaN)

/** @param {string} unit */
const serviceOf = (unit) => {
  try {
    return readUnit(unit)
  } catch (error) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (error)
    return fail(`${path ?? unit} cannot be read (${code}); run this as root, or as the user of the service`)
  }
}

/**
 * @param {string} unit
 * @param {readonly string[]} words
 */
const runAsService = (unit, words) => {
  const { user, folder, environment } = serviceOf(unit)
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = [idOf('-u', user), idOf('-g', user)]
  if (user === '' || Number.isNaN(uid)) fail(`${unit} names a user that is not there: User=${user}`)
  if (!isRoot && userInfo().uid !== uid) fail(`Run this as root or as the user ${user}, the user the service runs as`)
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8', TERM = 'dumb' } = process.env
  // Files named on the command line are meant from where the person stands, as with npm.
  const from = { INIT_CWD: process.cwd(), npm_lifecycle_event: words[0] ?? '' }
  const done = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {
    cwd: folder,
    env: { PATH, LANG, TERM, ...from, ...environment },
    stdio: 'inherit',
    ...(isRoot ? { uid, gid } : {}),
  })
  if (done.error) fail(`${process.execPath} cannot be run in ${folder} as ${user}: ${done.error.message}`)
  process.exit(done.status ?? 1)
}

const words = process.argv.slice(2)
if (Number.parseInt(process.versions.node, 10) < LEAST_NODE)
  fail(
    `Homeroom needs Node ${LEAST_NODE} or newer; ${process.execPath} is ${process.version}. Install Node ${LEAST_NODE}, or name another one in ExecStart of the service`,
  )
if (words[0] === '--unit') runAsService(words[1] ?? '', words.slice(2))
const [command = '', ...rest] = words
if (command === 'version' || command === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`homeroom ${version}\n`)
} else if (COMMANDS.includes(command)) {
  process.argv.splice(2, words.length, ...rest)
  await import(command === 'start' ? '../src/main.server.ts' : `./${command}.ts`)
} else fail(`Usage: homeroom ${COMMANDS.join('|')}`)
