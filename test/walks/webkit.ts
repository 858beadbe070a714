import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { findWebKit } from '../../scripts/browsers.mjs'
import { getFreePort } from '../support/free-port.ts'
import { isXPath, TIMEOUT_MS, type WalkBrowser } from './walk-browser.ts'

/** The key of an element in WebDriver's answers. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const CONTROL = '\uE009'
const ENTER = '\uE007'
/** GTK would not make its window narrower than its toolbar: 447 px, wider than a phone. */
const NARROW_TOOLBAR = 'headerbar *, toolbar *, button, entry { min-width: 0; margin: 0; padding: 0; border-width: 0 }\n'
/** Errors of a page that is still moving; the command is repeated. */
const PASSING = /no such element|stale element|not interactable|click intercepted|not a focusable|move target out of bounds/i

interface WebKitOptions {
  readonly width: number
  readonly folder: string
  readonly downloads: string
  readonly takeErrors: () => readonly string[]
}

/** WebKit, in a window of a virtual display, driven over WebDriver. */
export const startWebKit = async ({ width, folder, downloads, takeErrors }: WebKitOptions): Promise<WalkBrowser> => {
  const programs = findWebKit()
  if (programs === undefined) throw new Error('WebKit is not installed: install the packages webkit2gtk-driver and xvfb')
  const configuration = join(folder, 'configuration')
  await mkdir(join(configuration, 'gtk-3.0'), { recursive: true })
  await writeFile(join(configuration, 'gtk-3.0', 'gtk.css'), NARROW_TOOLBAR)
  await writeFile(join(configuration, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)

  const display = spawn(programs.display, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(display.stdout, 'data')) as [Buffer]
  const port = await getFreePort()
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${line.toString().trim()}`, XDG_CONFIG_HOME: configuration, NO_AT_BRIDGE: '1' },
  })

  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { value } = (await response.json()) as { value: unknown }
    if (response.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${method} ${path.split('/').slice(3).join('/')}: ${error}: ${message}`)
  }
  /** Repeats it until it succeeds or the time is over. */
  const retry = async <Result>(work: () => Promise<Result>, isPassing: (error: unknown) => boolean): Promise<Result> => {
    const deadline = Date.now() + TIMEOUT_MS
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || Date.now() > deadline) throw error
      }
      await pause(100)
    }
  }
  await retry(
    () => send('GET', '/status'),
    () => driver.exitCode === null,
  )
  const { sessionId } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: 'accept', timeouts: { script: TIMEOUT_MS, pageLoad: 60_000 } } },
  })) as { sessionId: string }
  const command = (path: string, body: object = {}) => send('POST', `/session/${sessionId}/${path}`, body)
  await command('window/rect', { x: 0, y: 0, width, height: 1000 })

  const find = async (selector: string): Promise<string> => {
    const found = (await command('element', { using: isXPath(selector) ? 'xpath' : 'css selector', value: selector })) as Record<
      string,
      string
    >
    return found[ELEMENT] ?? ''
  }
  const withElement = <Result>(selector: string, work: (element: string) => Promise<Result>): Promise<Result> =>
    retry(
      async () => work(await find(selector)),
      (error) => PASSING.test(String(error)),
    ).catch((error: unknown) => {
      throw new Error(`${selector}: ${String(error)}`, { cause: error })
    })
  const runScript = (script: string, args: readonly unknown[]) => command('execute/sync', { script, args })
  const pressKeys = async (...keys: string[]): Promise<void> => {
    const actions = [...keys.map((value) => ({ type: 'keyDown', value })), ...keys.toReversed().map((value) => ({ type: 'keyUp', value }))]
    await command('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }
  /** Clicking an element that moves would hit what comes after it. */
  const clickWhenStill = async (element: string): Promise<void> => {
    const [isStill] = (await send('POST', `/session/${sessionId}/execute/async`, {
      script: `const [element, done] = arguments
        const { left, top, width, height } = element.getBoundingClientRect()
        // Scrolling what is in view already would move a list that is placed beside its field.
        if (!element.contains(document.elementFromPoint(left + width / 2, top + height / 2))) element.scrollIntoView({ block: 'center', behavior: 'instant' })
        const read = () => { const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height].join() }
        const before = read()
        requestAnimationFrame(() => requestAnimationFrame(() => done([before === read() && !element.disabled])))`,
      args: [{ [ELEMENT]: element }],
    })) as [boolean]
    if (!isStill) throw new Error('element not interactable: it moves or is disabled')
    await command(`element/${element}/click`)
  }

  return {
    begin: async (emptyPage) => {
      // After about:blank, WebKit would start a process for each test, and compile the app's scripts again.
      await command('url', { url: emptyPage })
      takeErrors()
    },
    end: async () => {
      // Errors are sent in the background.
      await pause(200)
      return takeErrors()
    },
    open: async (url) => void (await command('url', { url })),
    reload: async () => void (await command('refresh')),
    goBack: async () => void (await command('back')),
    evaluate: (run, ...args) => runScript(`return (${run.toString()}).apply(null, arguments)`, args) as Promise<never>,
    click: (selector) => withElement(selector, clickWhenStill),
    fill: (selector, text) =>
      withElement(selector, async (element) => {
        await clickWhenStill(element)
        await runScript('arguments[0].select()', [{ [ELEMENT]: element }])
        await command(`element/${element}/value`, { text })
      }),
    type: async (text) => {
      const focused = (await send('GET', `/session/${sessionId}/element/active`)) as Record<string, string>
      await command(`element/${focused[ELEMENT]}/value`, { text })
    },
    pressEnter: () => pressKeys(ENTER),
    pressControl: (letter) => pressKeys(CONTROL, letter),
    upload: (selector, path) => withElement(selector, async (element) => void (await command(`element/${element}/value`, { text: path }))),
    close: async () => {
      await send('DELETE', `/session/${sessionId}`).catch(() => undefined)
      driver.kill()
      display.kill()
    },
  }
}
