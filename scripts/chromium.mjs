// Finds Chromium for the browser tests. Used by setup on Node 20 and by playwright.config.ts.
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

/** Arguments for every Chromium in the tests. Its sandbox does not work for root or in most containers; the pages it opens here are ours. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** An installed browser may lack a system library: it counts only if it can print its version. @param {string} path */
const runs = (path) => existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/** The path of a working Chromium: Playwright's own, otherwise the system's; undefined if there is none. */
export const findChromium = () => {
  const { chromium } = createRequire(import.meta.url)('@playwright/test')
  return [chromium.executablePath(), ...SYSTEM].find((path) => path && runs(path))
}

/**
 * The path of a headless Chromium shell, which runs the browser tests in half the time: Playwright's own, otherwise Debian's; undefined if there is
 * none.
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
