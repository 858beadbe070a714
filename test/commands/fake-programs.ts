import { spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { REPOSITORY } from '../support/server-process.ts'
import { readUnit } from './unit.ts'

// The programs of docs/operators/deploying.md that a test cannot run as they are: they want systemd, a registry, another user of the machine or a container
// engine. Started as `stand-ins.ts NAME WORD…` by a line of the page; ROOT is the folder that is used as `/`.

interface StandIn {
  /** How the program is emulated. */
  readonly how: string
  readonly run: (words: readonly string[]) => Promise<void> | void
}

const ROOT = process.env['ROOT'] ?? ''
const at = (...parts: readonly string[]): string => join(ROOT, ...parts)
const unitOf = (name: string): string => at('etc/systemd/system', `${name}.service`)
const logOf = (name: string): string => at(`${name}.log`)
const pidOf = (name: string): number => Number(readFileSync(at(`${name}.pid`), 'utf8'))
const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
/** False for a process that has ended, also where nobody has asked yet how. */
const isRunning = (pid: number): boolean => read(`/proc/${pid}/cmdline`) !== ''

/** A user of the machine where we are root; otherwise everything is ours. */
const idsOf = (user: string): { uid?: number; gid?: number } => {
  const id = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
}
const surroundingsOf = (name: string) => {
  const { user, folder, environment } = readUnit(unitOf(name))
  return {
    cwd: folder,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOMEROOM_ENVIRONMENT: at('etc/homeroom/environment'), ...environment },
    ...idsOf(user),
  }
}

const start = async (name: string): Promise<void> => {
  const surroundings = surroundingsOf(name)
  const text = readFileSync(unitOf(name), 'utf8')
  const { uid, gid } = surroundings
  const state = at('var/lib', /^StateDirectory=(.+)$/m.exec(text)?.[1] ?? '')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(state, uid, gid)
  const [program = '', ...words] = (/^ExecStart=(.+)$/m.exec(text)?.[1] ?? '').split(' ')
  const log = openSync(logOf(name), 'w')
  const child = spawn(program, words, { ...surroundings, detached: true, stdio: ['ignore', log, log] })
  child.unref()
  const pid = child.pid ?? 0
  writeFileSync(at(`${name}.pid`), String(pid))
  while (!read(logOf(name)).includes('"msg":"Ready: ')) {
    if (!isRunning(pid)) throw new Error(`${name} ended:\n${read(logOf(name))}`)
    await pause(50)
  }
}
const stop = async (name: string): Promise<void> => {
  const pid = pidOf(name)
  process.kill(pid, 'SIGTERM')
  while (isRunning(pid)) await pause(50)
}
const systemctl = async ([verb = '', ...words]: readonly string[]): Promise<void> => {
  const name = words.at(-1) ?? ''
  if (verb === 'daemon-reload' || (verb === 'reload' && name === 'nginx')) return
  if (verb === 'enable' && words[0] === '--now') return start(name)
  if (verb === 'stop' || verb === 'restart') await stop(name)
  if (verb === 'start' || verb === 'restart') return start(name)
  if (verb !== 'stop') throw new Error(`systemctl ${verb} has no stand-in`)
}

/** Links what `npm ci --omit=dev` installs; a copy where the checkout is on another disk. */
const linkProductionPackages = (): void => {
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  const wanted = Object.entries(lock.packages).flatMap(([path, { dev, link }]) => (path !== '' && !dev && !link ? [path] : []))
  const there = wanted.filter(
    (path) => !/node_modules\/.+\/node_modules\//.test(path) && read(join(REPOSITORY, path, 'package.json')) !== '',
  )
  const copied = (...flags: string[]) => spawnSync('cp', [...flags, '--parents', ...there, process.cwd()], { cwd: REPOSITORY }).status === 0
  if (!copied('-al') && !copied('-a')) throw new Error('The packages could not be copied')
}
const npm = (words: readonly string[]): void => {
  const call = words.join(' ')
  if (call === 'ci --omit=dev --ignore-scripts') linkProductionPackages()
  else if (call !== 'ci') throw new Error(`npm ${call} has no stand-in: an installed program asks no registry`)
}
const npx = (words: readonly string[]): void => {
  if (words.join(' ') !== 'vite build') throw new Error(`npx ${words.join(' ')} has no stand-in`)
  cpSync(join(REPOSITORY, 'dist'), 'dist', { recursive: true })
}

/** What is run in the container runs in the installed folder, as the service; a file that is brought along is where it was. */
const docker = (words: readonly string[]): void => {
  const call = words.slice(0, 2).join(' ')
  if (call === 'compose up') return
  const [node, ...rest] = words.slice(words.indexOf('homeroom') + 1)
  if (!['compose exec', 'compose run'].includes(call) || node !== 'node') throw new Error(`docker ${words.join(' ')} has no stand-in`)
  const [outside, inside] = (words[words.indexOf('-v') + 1] ?? '').split(':')
  const inPlace = rest.map((word) => (word === inside ? (outside ?? word) : word))
  process.exitCode = spawnSync(process.execPath, inPlace, { ...surroundingsOf('homeroom'), stdio: 'inherit' }).status ?? 1
}

const onDatabase = async (statement: string): Promise<void> => {
  const client = new pg.Client({ database: 'postgres', host: process.env['PGHOST'] })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** For every machine. */
export const STAND_INS: Readonly<Record<string, StandIn>> = {
  npm: { how: 'no registry: the packages are links to those of the checkout', run: npm },
  npx: { how: 'the web app is the one the checkout has built', run: npx },
  useradd: { how: 'no user is made: the service runs as nobody, or as the user who runs the tests', run: () => {} },
  systemctl: { how: 'the unit is read and its program started and stopped as the unit says, without its sandbox', run: systemctl },
  journalctl: { how: 'prints what the service wrote', run: (words) => void process.stdout.write(read(logOf(words[1] ?? ''))) },
  docker: { how: 'no engine: the words after the container’s name run in the installed folder as the service', run: docker },
}

/** Where a machine has no PostgreSQL of the system: that of the packages has no tools beside the server. */
export const POSTGRES_STAND_INS: Readonly<Record<string, StandIn>> = {
  createuser: {
    how: 'create role',
    run: (words) => onDatabase(`create role ${words.at(-1)} login password '${readFileSync(0, 'utf8').split('\n')[0]}'`),
  },
  createdb: { how: 'create database', run: (words) => onDatabase(`create database ${words.at(-1)} owner ${words[1]}`) },
  psql: { how: 'one statement', run: (words) => onDatabase(words.at(-1) ?? '') },
}

/** Where a machine has no nginx. */
export const NGINX_STAND_INS: Readonly<Record<string, StandIn>> = {
  nginx: { how: 'not looked at: this machine has no nginx', run: () => {} },
}

export const stopServices = async (root: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const pid = Number(read(join(root, `${name}.pid`)))
    if (pid === 0 || !isRunning(pid)) continue
    process.kill(-pid, 'SIGKILL')
    while (isRunning(pid)) await pause(50)
  }
  rmSync(root, { recursive: true, force: true })
}

if (import.meta.main) {
  const [name = '', ...words] = process.argv.slice(2)
  await { ...STAND_INS, ...POSTGRES_STAND_INS, ...NGINX_STAND_INS }[name]?.run(words)
}
