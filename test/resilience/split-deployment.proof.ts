import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { calls } from '../../src/app/routes.server.ts'
import { type Call, callName, getApi } from '../../src/contract/call.ts'
import { READ_AFTER_HEADER, WRITTEN_BY_HEADER } from '../../src/contract/read-after-write.ts'
import { toRequest } from '../support/api-client.ts'
import { createFileForm } from '../support/http-requests.ts'
import { signInLocally } from '../support/local-sign-in.ts'
import { createFile, createPlainImage } from '../support/pictures.ts'
import { runProof } from '../support/proof.ts'
import { REPOSITORY } from '../support/server-process.ts'
import { PARTS, type SplitDeployment, startSplitDeployment } from '../support/split-deployment.ts'
import { openTemporaryFolder } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait-until.ts'
import { listPagePaths } from './dependencies/probes.ts'

/** Changes received through the database may be delayed; this is the limit. */
const MAX_DELAY_MS = 1000

/**
 * Uses three servers like a user, and sends each of them requests that it must not answer. Changes the network. Failures are returned as text.
 */
export const checkSplitDeployment = async ({ url, servers, dataDir }: SplitDeployment, sites: number) => {
  const wrong: string[] = []
  let steps = 0
  const check = (what: string, isTrue: boolean, seen: unknown = ''): void => {
    steps++
    if (!isTrue) wrong.push(`${what}: ${String(seen).slice(0, 300)}`)
  }
  const isSoon = (condition: () => Promise<boolean>, timeoutMs = MAX_DELAY_MS): Promise<boolean> =>
    waitUntil('', condition, { timeoutMs, intervalMs: 20 }).then(
      () => true,
      () => false,
    )

  const addresses = listPagePaths()
  for (const path of addresses) {
    const page = await fetch(url + path, { headers: { accept: 'text/html' } })
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? 'none'
    check(`the page ${path}`, page.status === 200 && (await page.text()).includes(`nonce="${nonce}"`), page.status)
  }
  const front = await (await fetch(url)).text()
  for (const [, file = ''] of front.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    check(`the file ${file}`, (await fetch(url + file)).status === 200)

  const checkCall = async (call: Call): Promise<void> => {
    const path = call.path.replaceAll(/:\w+/g, '1')
    const getStatus = async (origin: string) => (await fetch(origin + path, { method: call.method, redirect: 'manual' })).status
    for (const part of PARTS) {
      const status = await getStatus(servers[part].url)
      const isOwn = part === getApi(call)
      check(`${callName(call)} at ${part}`, isOwn ? status !== 404 && status < 500 : status === 404, status)
    }
    const status = await getStatus(url)
    check(`${callName(call)} at the origin`, status !== 404 && status < 500, status)
  }
  // A call whose URL contains a secret answers a guess with 404.
  for (const call of calls) if (!/:(secret|ticket)\b/.test(call.path)) await checkCall(call)
  for (const part of PARTS) check(`/readyz of ${part}`, (await fetch(`${servers[part].url}/readyz`)).status === 200)

  const administrator = await signInLocally(url, 'super@sample.test')
  /** Names the server of the last write, like the web app. */
  let readAfter: Record<string, string> = {}
  const send = async (method: string, path: string, body?: object, { headers } = administrator): Promise<Response> => {
    const response = await fetch(url + path, { ...toRequest(method, { ...headers, ...readAfter }, body), redirect: 'manual' })
    const writtenBy = response.headers.get(WRITTEN_BY_HEADER)
    if (writtenBy !== null) readAfter = { [READ_AFTER_HEADER]: writtenBy }
    return response
  }
  const get = (path: string): Promise<Response> => send('GET', path)
  for (const path of ['/docs', '/openapi.json']) check(path, (await get(path)).status === 200)

  type Site = { _id: string; slug: string; name: string; version: number; photo: string | null }
  const listed = async (): Promise<Site[]> => (await (await get('/locations-api/sites_pop')).json()) as Site[]
  const before = await listed()
  check('the sample network is there once, although three servers started', before.length === sites, before.length)
  const [first] = before
  const report = () => ({ pages: addresses.length, calls: calls.length, steps, wrong })
  if (!first) return report()
  const findFirst = async () => (await listed()).find(({ _id }) => _id === first._id)

  // Saves at one server, and verifies that the others follow.
  const name = `Apart ${first.name}`
  const saved = await send('PATCH', `/locations-api/sites/${first._id}`, { name })
  check('a save at the Locations API', saved.status === 200, await saved.text())
  check('it is in the list at once', (await findFirst())?.name === name)
  const history = await get(`/api/history/site/${first._id}`)
  check('its history at the app server', history.status === 200 && (await history.text()).includes(name))
  const found = await get(`/api/search?q=${encodeURIComponent(name)}`)
  check('the search at the app server finds it', (await found.text()).includes(first._id))
  const workbook = await get('/api/exports/excel/facilities')
  check('a download', (await workbook.text()).startsWith('PK'), workbook.status)

  const photo = createFile(await createPlainImage(300, 200).jpeg().toBuffer())
  const uploaded = await send('POST', '/api/pictures', createFileForm(photo))
  const picture = (await uploaded.json()) as { _id: string; url: string }
  check('a picture is uploaded at the app server', uploaded.status === 200, uploaded.status)
  const pictured = await send('PATCH', `/locations-api/sites/${first._id}`, { photo: picture._id })
  check('and taken by the Locations API', pictured.status === 200, await pictured.text())
  const shown = await get((await findFirst())?.photo ?? '/')
  check('and shown from the address the list has', shown.headers.get('content-type') === 'image/jpeg', shown.status)

  // One server authenticates a user, and the others accept the session.
  const colleague = await signInLocally(url, 'colleague@network.test')
  // Requests above their level, and without a session.
  const reads = async (): Promise<number> => (await send('GET', '/locations-api/charter_affair/nobody', undefined, colleague)).status
  check('level 10 reads no charter affair', (await reads()) === 403)
  const userInfo = { azureID: 'colleague@network.test', name: 'A Colleague' }
  const granted = await send('POST', '/api/permissions/new_app_permission', { applicationID: 'homeroom', userInfo })
  check('a permission is granted at the app server', granted.status < 300, await granted.text())
  check('it counts at the Locations API', await isSoon(async () => (await reads()) === 404))
  await send('GET', '/auth/logout', undefined, colleague)
  check('a sign-out at the app server counts there too', await isSoon(async () => (await reads()) === 401))

  // Both servers that take requests send mails, and each mail is sent once.
  const support = { request: 'Is anybody there', name: 'A', email: 'a@network.test' }
  const sent = await send('POST', '/locations-api/is_support', support)
  check('a support request', sent.status < 300, await sent.text())
  const folder = join(dataDir, 'mail')
  // The sample has deadlines, whose reminders are sent meanwhile.
  const countMails = async (): Promise<number> => {
    const names = await readdir(folder).catch((): string[] => [])
    const mails = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
    return mails.filter((mail) => mail.includes(support.request)).length
  }
  await isSoon(async () => (await countMails()) > 0, 10_000)
  check('is one mail', (await countMails()) === 1, await countMails())

  // One server stops: the others continue, and the session survives.
  await servers.app.stop()
  check('without the app server, its calls are the proxy’s to refuse', (await get('/api/settings')).status === 502)
  check('and the lists still work', (await get('/locations-api/sites_pop')).status === 200)
  check('and the pages still work', (await get('/charters')).status === 200)
  await servers.app.start()
  check('started again, it knows who is signed in', (await get('/api/settings')).status === 200)
  return report()
}

interface BrowserRun {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly skipped: number }
}

/** Runs all browser tests like `npm run test:all`, but with three servers instead of one. */
const runBrowserTests = async (): Promise<BrowserRun['stats']> => {
  await using folder = await openTemporaryFolder()
  const file = join(folder.path, 'browser.json')
  spawnSync(join(REPOSITORY, 'node_modules', '.bin', 'playwright'), ['test', '--reporter=list,json'], {
    cwd: REPOSITORY,
    stdio: 'inherit',
    env: { ...process.env, SPLIT_DEPLOYMENT: '1', BROWSER_TESTS: 'all', CI: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  return (JSON.parse(readFileSync(file, 'utf8')) as BrowserRun).stats
}

const SITES = 20

if (import.meta.main)
  await runProof('split-deployment', async ({ report, expectEqual, expectNone }) => {
    const deployment = await startSplitDeployment({ SAMPLE: String(SITES), SUPPORT_REQUESTS_TO: 'support@network.test' })
    const walked = await checkSplitDeployment(deployment, SITES).finally(() => deployment.stop())
    report('Pages opened at the origin', walked.pages)
    report('Calls sent to the origin and to each of the three servers', walked.calls)
    expectNone('Failed checks, of those and of a walk through all three (over HTTP)', walked.wrong)
    report('Checks made', walked.steps)

    // Checks only the servers; the table then says that the browser tests were not run.
    if (process.argv.includes('--walk')) return report('Browser tests', 'not run (`-- --walk`)')
    const { expected, unexpected, skipped } = await runBrowserTests()
    const all = expected + unexpected + skipped
    if (all === 0) throw new Error('The browser tests did not run')
    expectEqual('Browser tests that passed, of all', expected, all)
  })
