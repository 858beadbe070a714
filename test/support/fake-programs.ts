import { spawn, spawnSync } from 'node:child_process'
import { openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { readUnit } from './unit.ts'

// Replacements for programs in docs/operators/deploying.md that a test cannot run: they need systemd, another system user or a container engine. The
// page's commands run them as `fake-programs.ts NAME WORD…`; ROOT is the folder used as `/`.

interface StandIn {
  /** How the program is emulated. */
  readonly how: string
  readonly run: (words: readonly string[]) => Promise<void> | void
}

const ROOT = process.env['ROOT'] ?? ''
const at = (...parts: readonly string[]): string => join(ROOT, ...parts)
/** `homeroom@3000` is the unit `homeroom@.service` with an instance. */
const readUnitOf = (name: string) => {
  const [template = '', instance = ''] = name.replace(/\.service$/, '').split('@')
  return readUnit(at('etc/systemd/system', `${template}@.service`), instance)
}
const nameOf = (unit: string): string => unit.replace(/\.service$/, '')
const logOf = (name: string): string => at(`${name}.log`)
const pidOf = (name: string): number => Number(readFileSync(at(`${name}.pid`), 'utf8'))
const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
/** False for a process that has ended, even if its parent has not collected it yet. */
const isRunning = (pid: number): boolean => read(`/proc/${pid}/cmdline`) !== ''

/** The ids of a system user if the test runs as root; otherwise everything belongs to the current user. */
const idsOf = (user: string): { uid?: number; gid?: number } => {
  const id = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
}
const surroundingsOf = (name: string) => {
  const { user, folder, environment } = readUnitOf(name)
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return {
    cwd: folder,
    env: { PATH, LANG: 'C.UTF-8', NODE_COMPILE_CACHE, HOMEROOM_ENVIRONMENT: at('etc/homeroom/environment'), ...environment },
    ...idsOf(user),
  }
}

/** Starts the program of a unit without waiting for it. */
const launch = (name: string): number => {
  const [program = '', ...words] = readUnitOf(name).program.split(' ')
  const log = openSync(logOf(name), 'w')
  const child = spawn(program, words, { ...surroundingsOf(name), detached: true, stdio: ['ignore', log, log] })
  child.unref()
  const pid = child.pid ?? 0
  writeFileSync(at(`${name}.pid`), String(pid))
  return pid
}
const start = async (name: string): Promise<void> => {
  const pid = launch(name)
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
/** The started services, by name. */
const listServices = (): string[] =>
  readdirSync(ROOT)
    .filter((file) => /^homeroom@\d+\.pid$/.test(file))
    .map((file) => file.replace(/\.pid$/, ''))
    .toSorted()
const systemctl = async ([verb = '', ...words]: readonly string[]): Promise<void> => {
  const names = words.filter((word) => !word.startsWith('-')).map(nameOf)
  if (verb === 'daemon-reload' || (verb === 'reload' && names[0] === 'nginx')) return
  if (verb === 'list-units') {
    for (const name of listServices())
      process.stdout.write(`${name}.service loaded ${isRunning(pidOf(name)) ? 'active running' : 'inactive dead'} Homeroom\n`)
    return
  }
  const isStarted = ['enable', 'start'].includes(verb)
  const isStopped = ['disable', 'stop', 'restart'].includes(verb)
  if (!isStarted && !isStopped) throw new Error(`systemctl ${verb} has no stand-in`)
  if (isStopped) await Promise.all(names.map(stop))
  if (isStarted) await Promise.all(names.map(start))
  // "homeroom restart" and "homeroom upgrade" wait until the server is ready, like systemd does not.
  if (verb === 'restart') names.map(launch)
}

/** Commands for the container run in the installed folder, as the service; mounted files are at their original paths. */
const docker = (words: readonly string[]): void => {
  const call = words.slice(0, 2).join(' ')
  if (call === 'compose up') return
  const [program, ...rest] = words.slice(words.indexOf('homeroom') + 1)
  if (!['compose exec', 'compose run'].includes(call) || program !== 'homeroom')
    throw new Error(`docker ${words.join(' ')} has no stand-in`)
  const [outside, inside] = (words[words.indexOf('-v') + 1] ?? '').split(':')
  const inPlace = rest.map((word) => (word === inside ? (outside ?? word) : word))
  process.exitCode = spawnSync(at('usr/local/bin/homeroom'), inPlace, { ...surroundingsOf('homeroom@0'), stdio: 'inherit' }).status ?? 1
}

const onDatabase = async (statement: string): Promise<void> => {
  const client = new pg.Client({ database: 'postgres', host: process.env['PGHOST'] })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** For every machine. */
export const STAND_INS: Readonly<Record<string, StandIn>> = {
  useradd: { how: 'no user is made: the service runs as nobody, or as the user who runs the tests', run: () => {} },
  userdel: { how: 'no user was made', run: () => {} },
  systemctl: { how: 'the unit is read and its program started and stopped as the unit says, without its sandbox', run: systemctl },
  journalctl: { how: 'prints what the service wrote', run: (words) => void process.stdout.write(read(logOf(nameOf(words[1] ?? '')))) },
  docker: { how: 'no engine: the words after the container’s name run in the installed folder as the service', run: docker },
}

/** For machines without a system PostgreSQL: the one from the packages has only the server. */
export const POSTGRES_STAND_INS: Readonly<Record<string, StandIn>> = {
  createuser: {
    how: 'create role',
    run: (words) =>
      onDatabase(
        `create role ${words.at(-1)} ${words.includes('--createdb') ? 'createdb ' : ''}login password '${readFileSync(0, 'utf8').split('\n')[0]}'`,
      ),
  },
  dropdb: { how: 'drop database', run: (words) => onDatabase(`drop database ${words.at(-1)}`) },
  createdb: { how: 'create database', run: (words) => onDatabase(`create database ${words.at(-1)} owner ${words[1]}`) },
  psql: { how: 'one statement', run: (words) => onDatabase(words.at(-1) ?? '') },
}

/** For machines without nginx. */
export const NGINX_STAND_INS: Readonly<Record<string, StandIn>> = {
  nginx: { how: 'not checked: this machine has no nginx', run: () => {} },
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
