import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { FastifyBaseLogger } from 'fastify'

import type { Configuration } from './configuration.ts'
import { getErrorReason } from './startup-errors.ts'

const GIGABYTE = 1024 ** 3
const MIN_FREE_BYTES = GIGABYTE
/** The minimum share of free space; on a large disk `MAX_REQUIRED_BYTES` is enough. */
const MIN_FREE_SHARE = 0.05
const MAX_REQUIRED_BYTES = 20 * GIGABYTE
/** A warning ends only with slightly more free space than the minimum, so that it does not flap. */
const RECOVERY_FACTOR = 1.1

/** A file system and our folders on it, by the names of their environment variables. */
export interface Disk {
  readonly folders: readonly string[]
  readonly path: string
  readonly free: number
  readonly size: number
}

/** Reads the size and free space of a file system, like `statfs`. */
export type ReadSpace = (path: string) => Promise<{ bsize: number; blocks: number; bavail: number }>

/** The minimum free space for a disk of this size: 5 % of it, but at least 1 GB and at most 20 GB. */
export const getMinFreeBytes = (size: number): number => Math.max(MIN_FREE_BYTES, Math.min(size * MIN_FREE_SHARE, MAX_REQUIRED_BYTES))

const formatGigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toLocaleString('en-US', { maximumFractionDigits: 1 })} GB`
const formatFolders = ({ folders }: Disk): string => folders.join(' and ')

/** The description of a full disk, for readers who may see its folders and sizes. */
export const formatDisk = (disk: Disk): string =>
  `The disk of ${formatFolders(disk)} (${disk.path}) is nearly full: ${formatGigabytes(disk.free)} of ${formatGigabytes(disk.size)} are free`

/** A folder that does not exist yet will be created on the disk of its nearest existing parent. */
const findExistingFolder = async (path: string): Promise<{ path: string; device: number }> => {
  try {
    return { path, device: (await stat(path)).dev }
  } catch (error) {
    if (dirname(path) === path) throw error
    return findExistingFolder(dirname(path))
  }
}

/** The disks our folders are on. */
export const readDisks = async (
  { dataDir, backupDir }: Pick<Configuration, 'dataDir' | 'backupDir'>,
  readSpace: ReadSpace = statfs,
): Promise<Disk[]> => {
  const disks = new Map<number, Disk>()
  for (const [folder, path] of Object.entries({ DATA_DIR: dataDir, BACKUP_DIR: backupDir })) {
    const existing = await findExistingFolder(path)
    const known = disks.get(existing.device)
    const { bsize, blocks, bavail } = await readSpace(existing.path)
    disks.set(existing.device, {
      folders: [...(known?.folders ?? []), folder],
      path: known?.path ?? path,
      free: bavail * bsize,
      size: blocks * bsize,
    })
  }
  return [...disks.values()]
}

/** Folders that this configuration writes to, but that are not writable. For a missing folder its parent is checked. */
const findUnwritableFolders = async ({
  dataDir,
  backupDir,
  isBackupEnabled,
  databaseUrl,
  smtpUrl,
}: Configuration): Promise<Map<string, string>> => {
  const needed = {
    ...(databaseUrl === undefined || smtpUrl === undefined ? { DATA_DIR: dataDir } : {}),
    ...(isBackupEnabled ? { BACKUP_DIR: backupDir } : {}),
  }
  const found = new Map<string, string>()
  for (const [name, path] of Object.entries(needed)) {
    const reason = await access((await findExistingFolder(path)).path, constants.W_OK | constants.X_OK).then(
      () => undefined,
      getErrorReason,
    )
    if (reason !== undefined) found.set(name, `${name} (${path}) cannot be written: ${reason}`)
  }
  return found
}

/** The state of the disks at the last check; logs once when one is nearly full, and once when it has recovered. */
export class DiskWatch {
  readonly #configuration: Configuration
  readonly #log: FastifyBaseLogger
  readonly #readSpace: ReadSpace
  #disks: readonly Disk[] = []
  #full = new Set<string>()
  #unwritable: ReadonlyMap<string, string> = new Map()

  constructor({ configuration, log }: { configuration: Configuration; log: FastifyBaseLogger }, readSpace: ReadSpace = statfs) {
    this.#configuration = configuration
    this.#log = log
    this.#readSpace = readSpace
  }

  /** The disks, as of the last minute. */
  get disks(): readonly Disk[] {
    return this.#disks
  }

  /** Disks that are nearly full. */
  get full(): readonly Disk[] {
    return this.#disks.filter((disk) => this.#full.has(formatFolders(disk)))
  }

  /** The warnings that everyone may see: which disk, without its path and size. */
  get warnings(): string[] {
    return [
      ...this.full.map((disk) => `The disk of ${formatFolders(disk)} is nearly full`),
      ...[...this.#unwritable.keys()].map((name) => `${name} cannot be written`),
    ]
  }

  async check(): Promise<void> {
    await this.#readState().catch((error: unknown) => this.#log.warn({ err: error }, 'The space on the disks cannot be read'))
  }

  async #readState(): Promise<void> {
    const unwritable = await findUnwritableFolders(this.#configuration)
    for (const [name, message] of unwritable) if (!this.#unwritable.has(name)) this.#log.error(message)
    for (const name of this.#unwritable.keys()) if (!unwritable.has(name)) this.#log.warn(`${name} can be written again`)
    this.#unwritable = unwritable
    this.#disks = await readDisks(this.#configuration, this.#readSpace)
    const before = this.#full
    this.#full = new Set(
      this.#disks
        .filter((disk) => disk.free < getMinFreeBytes(disk.size) * (before.has(formatFolders(disk)) ? RECOVERY_FACTOR : 1))
        .map(formatFolders),
    )
    for (const disk of this.#disks) {
      const [was, is] = [before.has(formatFolders(disk)), this.#full.has(formatFolders(disk))]
      if (is && !was) this.#log.error({ free: disk.free, size: disk.size }, formatDisk(disk))
      if (was && !is) this.#log.warn({ free: disk.free, size: disk.size }, `The disk of ${formatFolders(disk)} has free space again`)
    }
  }
}
