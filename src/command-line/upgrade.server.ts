import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { parseCommandArguments } from '../platform/server/command-arguments.ts'
import type { CommandContext } from '../platform/server/command-context.ts'
import { StartupError } from '../platform/server/startup-errors.ts'
import { restartInstances } from './instances.server.ts'

export const UPGRADE_HELP = `Usage: homeroom upgrade ARCHIVE [--no-backup]

Goes to the version of a release's archive (homeroom-VERSION-PLATFORM.tar.gz), as root:

  1. checks the archive against ARCHIVE.sha256, where that file is beside it, and every file in it
  2. puts it beside the version that runs, and checks settings and tables with it
  3. makes a backup in BACKUP_DIR
  4. brings the tables up to date, while the servers run
  5. makes it the current version and restarts each homeroom@PORT, the next one when the one before is ready

With two servers behind a proxy no request fails. What goes wrong before step 5 changes nothing that runs; a server that does not
become ready goes back to the version before.

  --no-backup  leaves out step 3: for installations with their own backup

Exit code 0 when the new version runs, 1 otherwise.`

export const ROLLBACK_HELP = `Usage: homeroom rollback

Goes back to the version before the last upgrade, as root: makes it the current version and restarts each homeroom@PORT, one after
the other. It is refused, and nothing changed, where the tables are newer than that version knows; then the backup that the upgrade
made has to be restored first (docs/operators/deploying.md).

Exit code 0 when the version before runs, 1 otherwise.`

export const RESTART_HELP = `Usage: homeroom restart

Restarts each homeroom@PORT that runs, as root, the next one when the one before is ready: what a changed setting or secret needs.
With two servers behind a proxy no request fails.`

const Release = z.object({ version: z.string(), platform: z.string() })

const HOME = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The folder that contains `versions/` and the links `current` and `previous`. */
const findInstallation = (): string => {
  const versions = dirname(HOME)
  if (basename(versions) !== 'versions' || !existsSync(join(dirname(versions), 'current')))
    throw new StartupError(
      `${HOME} is not an installed release (FOLDER/versions/NAME with a link FOLDER/current); see docs/operators/deploying.md`,
    )
  return dirname(versions)
}

const readRelease = (folder: string): z.infer<typeof Release> =>
  Release.parse(JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')))

/** Replaces a link atomically. */
const replaceLink = (link: string, target: string): void => {
  const draft = `${link}.${process.pid}`
  symlinkSync(target, draft)
  renameSync(draft, link)
}

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const checkArchive = async (archive: string): Promise<void> => {
  if (!existsSync(archive)) throw new StartupError(`${archive} does not exist`)
  const sums = `${archive}.sha256`
  if (existsSync(sums) && readFileSync(sums, 'utf8').split(/\s/)[0] !== (await digestOf(archive)))
    throw new StartupError(`${archive} is not what ${sums} says; get both again`)
}

const checkFiles = async (folder: string): Promise<void> => {
  const sums = join(folder, 'SHA256SUMS')
  if (!existsSync(sums) || !existsSync(join(folder, 'release.json'))) throw new StartupError('The archive is not a Homeroom release')
  for (const line of readFileSync(sums, 'utf8').split('\n').filter(Boolean)) {
    const [digest, path] = [line.slice(0, 64), line.slice(66)]
    if (!existsSync(join(folder, path)) || (await digestOf(join(folder, path))) !== digest)
      throw new StartupError(`${path} of the archive is missing or altered; get the archive again`)
  }
}

/** Unpacks a release next to the others; returns its folder. An existing one with the same contents is kept. */
const installRelease = async (archive: string, installation: string): Promise<string> => {
  const versions = join(installation, 'versions')
  const draft = mkdtempSync(join(versions, '.new-'))
  try {
    const { status, stderr } = spawnSync('tar', ['-xzf', archive, '-C', draft, '--no-same-owner'], { encoding: 'utf8' })
    if (status !== 0) throw new StartupError(`${archive} cannot be unpacked: ${stderr.trim()}`)
    const [name = '', ...others] = readdirSync(draft)
    if (name === '' || others.length > 0) throw new StartupError('The archive is not a Homeroom release')
    await checkFiles(join(draft, name))
    const { platform } = readRelease(join(draft, name))
    const own = `${process.platform}-${process.arch}`
    if (platform !== own) throw new StartupError(`The archive is for ${platform}; this machine is ${own}`)
    const folder = join(versions, name)
    if (!existsSync(folder)) renameSync(join(draft, name), folder)
    else if (readFileSync(join(folder, 'SHA256SUMS'), 'utf8') !== readFileSync(join(draft, name, 'SHA256SUMS'), 'utf8'))
      throw new StartupError(`${folder} exists with other contents; remove it first`)
    return folder
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Runs a command of another version and prints its output. */
const runOf = (folder: string, args: readonly string[], { environment, out }: CommandContext): void => {
  const { status, stdout, stderr } = spawnSync(join(folder, 'bin/homeroom'), args, { encoding: 'utf8', env: environment })
  out.write(stdout)
  if (status !== 0)
    throw new StartupError(`${stderr.trim()}\n"homeroom ${args.join(' ')}" of ${basename(folder)} failed; the servers run as before`)
}

/** While both versions run, pages of one may request scripts from a server of the other; file names contain hashes, so they cannot collide. */
const shareAssets = (one: string, other: string): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    if (existsSync(join(from, 'dist/assets'))) cpSync(join(from, 'dist/assets'), join(to, 'dist/assets'), { recursive: true, force: false })
}

const switchTo = async (installation: string, target: string, context: CommandContext, settings: NodeJS.ProcessEnv): Promise<void> => {
  const current = join(installation, 'current')
  const before = readlinkSync(current)
  shareAssets(join(installation, before), join(installation, target))
  replaceLink(current, target)
  await restartInstances(
    settings,
    (line) => context.out.write(`${line}\n`),
    () => replaceLink(current, before),
  )
  replaceLink(join(installation, 'previous'), before)
}

const assertRoot = (): void => {
  if (process.getuid?.() !== 0) throw new StartupError('Run this as root: it writes to the folder of the program and restarts its services')
}

/** `homeroom upgrade`. `settings` is the environment including the file's settings, which say where the servers listen. */
export const upgradeCommand = async (args: readonly string[], context: CommandContext, settings: NodeJS.ProcessEnv): Promise<number> => {
  const { values, positionals } = parseCommandArguments('upgrade', args, { 'no-backup': { type: 'boolean' } }, 1)
  const [file] = positionals
  if (file === undefined) throw new StartupError('Name the archive: homeroom upgrade homeroom-VERSION-PLATFORM.tar.gz')
  const installation = findInstallation()
  assertRoot()
  const writeLine = (line: string): void => void context.out.write(`${line}\n`)
  const archive = resolve(file)
  await checkArchive(archive)
  const folder = await installRelease(archive, installation)
  const { version } = readRelease(folder)
  const current = resolve(installation, readlinkSync(join(installation, 'current')))
  if (folder === current) throw new StartupError(`Homeroom ${version} is the current version already`)
  writeLine(`Installed ${folder}`)
  runOf(folder, ['migrate', '--dry-run'], context)
  if (!values['no-backup']) runOf(current, ['backup'], context)
  runOf(folder, ['migrate'], context)
  await switchTo(installation, `versions/${basename(folder)}`, context, settings)
  writeLine(`Homeroom ${version} runs; "homeroom rollback" goes back to ${readRelease(current).version}`)
  return 0
}

/** `homeroom rollback`. */
export const rollbackCommand = async (args: readonly string[], context: CommandContext, settings: NodeJS.ProcessEnv): Promise<number> => {
  parseCommandArguments('rollback', args, {})
  const installation = findInstallation()
  assertRoot()
  const previous = join(installation, 'previous')
  if (!existsSync(previous)) throw new StartupError('There is no version before this one: no upgrade was made')
  const folder = resolve(installation, readlinkSync(previous))
  runOf(folder, ['migrate', '--dry-run'], context)
  await switchTo(installation, `versions/${basename(folder)}`, context, settings)
  context.out.write(`Homeroom ${readRelease(folder).version} runs again\n`)
  return 0
}

/** `homeroom restart`. */
export const restartCommand = async (args: readonly string[], { out }: CommandContext, settings: NodeJS.ProcessEnv): Promise<number> => {
  parseCommandArguments('restart', args, {})
  assertRoot()
  await restartInstances(settings, (line) => out.write(`${line}\n`))
  return 0
}
