import { spawnSync } from 'node:child_process'
import { chmod, mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ProofSkipped } from '../../support/proof.ts'
import { openTemporaryFolder } from '../../support/temporary-folder.ts'

/** A separate file system in a file, which can simulate a power failure. */
export interface FailingDisk extends AsyncDisposable {
  /** The mount point. */
  readonly folder: string
  /** From now on no writes reach it; `isAbrupt` without flushing its journal first. */
  readonly cut: (isAbrupt: boolean) => void
  /** Remounts it, like after a power failure: the journal is replayed. */
  readonly mountAgain: () => Promise<void>
}

const MEGABYTES = 1500
/** `_IOR('X', 125, __u32)` and its flags, of linux/ext4.h. */
const EXT4_IOC_SHUTDOWN = 0x8004_587d
const DEFAULT = 0
const NO_LOG_FLUSH = 2
/** Node has no ioctl; perl is on every Debian, and on nearly every other Linux. */
const SHUT_DOWN = 'open(my $d, "<", $ARGV[0]) or die "$!\n"; my $f = pack("L", $ARGV[2]); ioctl($d, $ARGV[1], $f) or die "$!\n";'

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' })
const describeFailure = ({ error, stderr }: ReturnType<typeof run>): string => (error?.message ?? stderr).trim()
const runOrThrow = (program: string, ...args: string[]): void => {
  const result = run(program, ...args)
  if (result.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${describeFailure(result)}`)
}

/** Creates and mounts it; if this machine does not allow that, throws an error that says why. */
export const createFailingDisk = async (): Promise<FailingDisk> => {
  if (process.platform !== 'linux') throw new ProofSkipped('the file system’s shutdown is Linux’s')
  if (process.getuid?.() !== 0) throw new ProofSkipped('a file system of its own is mounted by root only; run it as root')
  for (const program of ['mkfs.ext4', 'losetup', 'mount', 'umount', 'perl'])
    if (run('sh', '-c', `command -v ${program}`).status !== 0) throw new ProofSkipped(`there is no ${program} here`)
  await using resources = new AsyncDisposableStack()
  const place = resources.use(await openTemporaryFolder()).path
  const [image, folder] = [join(place, 'disk'), join(place, 'mounted')]
  await mkdir(folder)
  await writeFile(image, '')
  await truncate(image, MEGABYTES * 1024 * 1024)
  const unmount = (): void => {
    for (let attempt = 0; attempt < 100 && run('mountpoint', '-q', folder).status === 0; attempt++)
      if (run('umount', folder).status !== 0) spawnSync('sleep', ['0.1'])
  }
  runOrThrow('mkfs.ext4', '-q', '-F', image)
  const attached = run('losetup', '-f', '--show', image)
  if (attached.status !== 0) throw new ProofSkipped(`this machine gives no loop device (${describeFailure(attached)})`)
  const device = attached.stdout.trim()
  resources.defer(() => void run('losetup', '-d', device))
  resources.defer(unmount)
  const mounted = run('mount', '-t', 'ext4', device, folder)
  if (mounted.status !== 0) throw new ProofSkipped(`this machine does not let root mount (${describeFailure(mounted)})`)
  await chmod(folder, 0o711)
  // If interrupted, leaves no mount and no device behind; processes with open files there lose them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      run('umount', '-l', folder)
      run('losetup', '-d', device)
      run('rm', '-rf', place)
      setTimeout(() => process.exit(1), 5000) // a fallback: normally, the owner of the processes that use it ends them and exits first
    })
  const created = resources.move()
  return {
    folder,
    cut: (isAbrupt) => runOrThrow('perl', '-e', SHUT_DOWN, folder, String(EXT4_IOC_SHUTDOWN), String(isAbrupt ? NO_LOG_FLUSH : DEFAULT)),
    mountAgain: async () => {
      unmount()
      runOrThrow('mount', '-t', 'ext4', device, folder)
    },
    [Symbol.asyncDispose]: () => created.disposeAsync(),
  }
}
