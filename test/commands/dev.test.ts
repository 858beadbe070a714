import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { findChromium } from '../../scripts/chromium.mjs'
import { signInWithForm } from '../support/browser-pages.ts'
import { getFreePort } from '../support/free-port.ts'
import { REPOSITORY, type RunningProgram, startProgram } from '../support/server-process.ts'

// `npm run dev` in a copy of the checkout, whose files can be edited.

const FORM = 'src/features/changing/requests/web/SupportRequestModal.tsx'
const HEALTH = 'src/platform/server/health.ts'

let folder: string
let url: string
let program: RunningProgram
let browser: Browser
let page: Page
const problems: string[] = []

/** Replaces text in a file of the copy, like an editor. */
const edit = async (path: string, before: string, after: string): Promise<void> => {
  const file = join(folder, 'checkout', path)
  const text = await readFile(file, 'utf8')
  expect(text).toContain(before)
  await writeFile(file, text.replace(before, after))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-dev-'))
  await chmod(folder, 0o711) // as root the database runs as another user, who needs access
  const checkout = join(folder, 'checkout')
  await mkdir(join(checkout, 'test', 'support'), { recursive: true })
  for (const path of ['src', 'scripts', 'public', 'sample', 'index.html', 'package.json', 'vite.config.ts', 'test/support/free-port.ts'])
    await cp(join(REPOSITORY, path), join(checkout, path), { recursive: true })
  await symlink(join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules'))
  const port = String(await getFreePort())
  url = `http://127.0.0.1:${port}`
  const environment = { PORT: port, DATA_DIR: join(folder, 'data'), SAMPLE: 'none' }
  program = startProgram(process.execPath, ['scripts/dev.ts'], environment, { cwd: checkout, group: true })
  await program.waitForLine(/^Ready: /m)

  const executablePath = findChromium()
  browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-gpu'] })
  page = await browser.newPage()
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  if (program.child.exitCode === null) process.kill(-Number(program.child.pid), 'SIGINT')
  await program.ended
  await rm(folder, { recursive: true, force: true })
})

test('the page and its sources have the policy headers', async () => {
  const response = await fetch(`${url}/login`)
  const [, nonce] = /script-src 'self' 'nonce-([\w-]+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
  expect(nonce).toBeDefined()
  expect(await response.text()).toContain(`<script type="module" src="/src/main.web.tsx" nonce="${nonce}">`)
  const source = await fetch(`${url}/src/main.web.tsx`)
  for (const name of ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'cross-origin-resource-policy'])
    expect(source.headers.get(name), name).toBe(response.headers.get(name))
  expect(source.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('an edited component is shown without a reload, and unsaved changes stay', async () => {
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Contact Information Services' }).click()
  await page.getByLabel('How can we help?').fill('The projector is dark')
  await edit(FORM, 'How can we help?', 'What is broken?')
  const field = page.getByLabel('What is broken?')
  await field.waitFor()
  expect(await field.inputValue()).toBe('The projector is dark')
})

test('an edited server file is served by a restarted server, and no request fails in the meantime', async () => {
  const readHealth = async () => {
    const response = await fetch(`${url}/healthz`)
    return [response.status, await response.text()] as const
  }
  expect(await readHealth()).toEqual([200, '{"status":"alive"}'])
  await edit(HEALTH, `'alive'`, `'edited'`)
  const statuses = new Set<number>()
  await expect
    .poll(
      async () => {
        const [status, text] = await readHealth()
        statuses.add(status)
        return text
      },
      { timeout: 60_000 },
    )
    .toBe('{"status":"edited"}')
  expect([...statuses]).toEqual([200])
  // The page still has the typed text.
  expect(await page.getByLabel('What is broken?').inputValue()).toBe('The projector is dark')
})

test('people sign in as in the built app', async () => {
  await signInWithForm(page, 'level1@sample.test', url)
  expect(problems).toEqual([])
})

test('Ctrl C stops it and its server', async () => {
  process.kill(-Number(program.child.pid), 'SIGINT')
  expect((await program.ended).code, program.output()).toBe(0)
})
