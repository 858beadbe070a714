// Where the browser tests find Chromium. Read by set-up on Node 20 and by playwright.config.ts.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** What every Chromium of the tests is started with. Its own sandbox does not work for root or in most containers; the pages it opens here are ours. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * A browser that is there may still lack a library of the system: only one that says its version counts.
 * @param {string} path
 */
const runs = (path) => existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/** The path of a Chromium that starts: Playwright's own, else the system's; undefined if there is none. */
export const findChromium = () => {
  const { chromium } = createRequire(import.meta.url)('@playwright/test')
  return [chromium.executablePath(), ...SYSTEM].find((path) => path && runs(path))
}

/**
 * The path of a Chromium without windows, which runs the browser tests in half the time: Playwright's own, else Debian's; undefined where there
 * is none.
 */
export const findHeadlessShell = () => {
  const { chromium } = createRequire(import.meta.url)('@playwright/test')
  const cache = dirname(dirname(dirname(chromium.executablePath())))
  const own = listFolders(cache)
    .filter((name) => name.startsWith('chromium_headless_shell-'))
    .flatMap((name) => listFolders(join(cache, name)).map((inner) => join(cache, name, inner, 'chrome-headless-shell')))
  return [...own, '/usr/bin/chromium-headless-shell'].find(runs)
}

/** @param {string} path */
const listFolders = (path) => (existsSync(path) ? readdirSync(path) : [])
