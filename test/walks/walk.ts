import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readXlsx } from 'hucre/xlsx'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

import { getFreePort } from '../support/free-port.ts'
import { startProgram } from '../support/server-process.ts'
import { startErrorCollector } from './error-collector.ts'
import { startFirefox } from './firefox.ts'
import { TIMEOUT_MS, type WalkBrowser } from './walk-browser.ts'
import { startWebKit } from './webkit.ts'

let url = ''
/** The folder of downloaded files. */
export let downloads = ''
/** The browser of the walks. */
export let browser: WalkBrowser
/** Cuts the network between the browser and the server, or restores it. */
export let setNetwork: (isThere: boolean) => void

/** Waits until a function returns something in the page; it sees only its arguments. */
export const waitFor = async <Args extends readonly unknown[], Result>(
  what: string,
  read: (...args: Args) => Result | null | undefined | false,
  ...args: Args
): Promise<Result> => {
  let found: Result | null | undefined | false
  await expect
    .poll(
      async () => {
        found = await browser.evaluate(read, ...args)
        return found !== null && found !== undefined && found !== false
      },
      { timeout: TIMEOUT_MS, message: `The page has no ${what}` },
    )
    .toBe(true)
  return found as Result
}

/** The element with this label, or with this text without the shortcut. */
export const named = (role: 'button' | 'link', name: string, within = ''): string =>
  `${within}//${role === 'button' ? 'button' : 'a'}[starts-with(normalize-space(), "${name}") or starts-with(@aria-label, "${name}")][not(ancestor::*[@inert])]`
export const press = (role: 'button' | 'link', name: string, within?: string) => browser.click(named(role, name, within))
/** Presses a button beside the heading of a page; on a phone these are in a menu. */
export const pressAction = async (name: string) => {
  const wanted = `//main${named('button', name)}`
  const shown = await waitFor(
    `button ${name}`,
    (action) => {
      const menu = '//main//button[@aria-label="More actions"]'
      return [action, menu].find((path) => document.evaluate(`boolean(${path})`, document).booleanValue)
    },
    wanted,
  )
  await browser.click(shown)
  if (shown !== wanted) await press('button', name, '//*[@role="menu"]')
}
export const DIALOG = '//*[@role="dialog"]'
/** The label of a required field ends with an asterisk. */
export const fill = (label: string, text: string) =>
  browser.fill(`//*[@id = //label[normalize-space()="${label}" or normalize-space()="${label} *"]/@for]`, text)
/** Selects the option with this text. */
export const select = (label: string, text: string) =>
  waitFor(
    `option ${text} of ${label}`,
    (wantedLabel, wantedText) => {
      const isWanted = (field: HTMLSelectElement) =>
        field.getAttribute('aria-label') === wantedLabel ||
        [...field.labels].some(({ textContent }) => textContent.trim().startsWith(wantedLabel))
      const found = [...document.querySelectorAll('select')].find(isWanted)
      const option = [...(found?.options ?? [])].find((one) => one.text === wantedText)
      if (!found || !option) return false
      option.selected = true
      found.dispatchEvent(new Event('input', { bubbles: true }))
      found.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    },
    label,
    text,
  )
export const expectText = (text: string) => waitFor(`text "${text}"`, (wanted) => document.body.textContent.includes(wanted), text)
export const expectElement = (selector: string) =>
  waitFor(
    `element ${selector}`,
    (wanted) =>
      /^[(/]/.test(wanted)
        ? document.evaluate(wanted, document, null, XPathResult.BOOLEAN_TYPE).booleanValue ||
          document.evaluate(`boolean(${wanted})`, document).booleanValue
        : document.querySelector(wanted) !== null,
    selector,
  )
export const expectNoDialog = () => waitFor('closed dialog', () => document.querySelector('[role=dialog]') === null)
export const readHeading = () => waitFor('heading', () => document.querySelector('main h1')?.textContent.trim())
export const expectHeading = (text: string) =>
  waitFor(`heading ${text}`, (wanted) => document.querySelector('main h1')?.textContent.trim() === wanted, text)
export const expectQuery = (part: string) => waitFor(`query ${part}`, (wanted) => location.search.includes(wanted), part)
export const expectPath = (path: string) => waitFor(`path ${path}`, (wanted) => location.pathname === wanted, path)
/** A page that is left while it loads may report the requests that end with it. */
export const waitUntilLoaded = async () => {
  const counts: number[] = []
  const count = async () => {
    counts.push(await browser.evaluate(() => performance.getEntriesByType('resource').length))
    return new Set(counts.slice(-6)).size === 1 && counts.length > 5
  }
  await expect.poll(count, { timeout: TIMEOUT_MS, interval: 100 }).toBe(true)
}
export const open = async (path: string) => {
  await browser.open(`${url}${path}`)
}
/** The path of the first record that a list links to under this prefix. */
const readFirstPath = (prefix: string) =>
  waitFor(`link to ${prefix}`, (start) => document.querySelector<HTMLAnchorElement>(`main a[href^="${start}"]`)?.pathname, prefix)
/** Follows the first link of the page whose URL has this prefix. */
export const followLink = async (prefix: string): Promise<string> => {
  const path = await readFirstPath(prefix)
  const before = await readHeading()
  await browser.click(`main a[href="${path}"]`)
  await expectPath(path)
  // The address changes before the page.
  await waitFor('other heading', (old) => ![undefined, old].includes(document.querySelector('main h1')?.textContent.trim()), before)
  return path
}
/** The name of the first record that a list links to under this prefix. */
export const readFirstName = (prefix: string): Promise<string> =>
  waitFor(`link to ${prefix}`, (start) => document.querySelector(`main a[href^="${start}"]`)?.textContent.trim(), prefix)
/** Does what downloads a file, and returns its bytes. */
export const download = async (name: string, start: () => Promise<unknown>): Promise<Buffer> => {
  const before = new Set(await readdir(downloads))
  await start()
  // Browsers create an empty file of the final name, and move the complete one over it.
  const readComplete = async () => {
    const file = (await readdir(downloads)).find((found) => !before.has(found) && found.startsWith(name) && found.endsWith('.xlsx'))
    return file === undefined ? Buffer.alloc(0) : readFile(join(downloads, file))
  }
  await expect.poll(async () => (await readComplete()).length, { timeout: TIMEOUT_MS }).toBeGreaterThan(0)
  return readComplete()
}
export const readRows = async (bytes: Buffer) => (await readXlsx(bytes)).sheets[0]?.rows ?? []

/** Starts a server and a browser for the walks of a file. Each test gets its own page, which must report no error. */
export const startWalks = (engine: 'Firefox' | 'WebKit', width: number): void => {
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeroom-walks-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o711) // as root the database runs as another user, who needs access
    downloads = join(folder, 'downloads')
    await mkdir(downloads)
    const [port, publicPort] = [await getFreePort(), await getFreePort()]
    url = `http://127.0.0.1:${publicPort}`
    const server = startProgram(process.execPath, ['src/main.server.ts'], {
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: join(folder, 'data'),
      SAMPLE: '30',
    })
    stops.push(async () => {
      server.child.kill('SIGTERM')
      await server.ended
    })
    await server.waitForLine(/^Ready: /m)
    const { takeErrors, setNetwork: set, stop } = await startErrorCollector(publicPort, port)
    setNetwork = set
    stops.push(stop)
    browser = engine === 'Firefox' ? await startFirefox({ width, downloads }) : await startWebKit({ width, folder, downloads, takeErrors })
    stops.push(browser.close)
  })
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  })
  beforeEach(() => browser.begin(`${url}/icon.svg`))
  afterEach(async () => {
    const errors = await browser.end()
    if (errors.length > 0) throw new Error(`Errors on the page:\n${errors.join('\n')}`)
  })
}
