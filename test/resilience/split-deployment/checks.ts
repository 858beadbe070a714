import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type Call, callName, getApi } from '../../../src/contract/call.ts'
import { calls } from '../../../src/routes.server.ts'
import { signInLocally } from '../../support/local-sign-in.ts'
import { createPlainImage } from '../../support/pictures.ts'
import type { SplitDeployment } from '../../support/split-deployment.ts'
import { PARTS } from '../../support/split-deployment.ts'
import { listPagePaths } from '../dependencies/probes.ts'

/** The results of checking three servers behind one origin, with failures as text. */
export interface SplitDeploymentReport {
  readonly pages: number
  readonly calls: number
  readonly steps: number
  readonly wrong: readonly string[]
}

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** Changes received through the database may be delayed; this is the limit. */
const MAX_DELAY_MS = 1000

/**
 * Uses three servers like a user, and sends each of them requests that it must not answer. Changes the network.
 */
export const checkSplitDeployment = async (deployment: SplitDeployment, sites: number): Promise<SplitDeploymentReport> => {
  const { url, servers } = deployment
  const wrong: string[] = []
  let steps = 0
  const hold = (what: string, isTrue: boolean, seen: unknown = ''): void => {
    steps++
    if (!isTrue) wrong.push(`${what}: ${String(seen).slice(0, 300)}`)
  }
  const soon = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    const until = Date.now() + MAX_DELAY_MS
    while (!(await check())) {
      if (Date.now() > until) return hold(what, false, `not within ${MAX_DELAY_MS} ms`)
      await pause(20)
    }
    hold(what, true)
  }

  const addresses = listPagePaths()
  for (const path of addresses) {
    const page = await fetch(url + path, { headers: { accept: 'text/html' } })
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? 'none'
    hold(`the page ${path}`, page.status === 200 && (await page.text()).includes(`nonce="${nonce}"`), page.status)
  }
  const front = await (await fetch(url)).text()
  for (const [, file = ''] of front.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    hold(`the file ${file}`, (await fetch(url + file)).status === 200)

  // A call whose URL contains a secret answers a guess with 404.
  for (const call of calls) if (!call.path.includes(':secret')) await holdToOnePart(call)
  async function holdToOnePart(call: Call): Promise<void> {
    const path = call.path.replaceAll(/:\w+/g, '1')
    for (const part of PARTS) {
      const { status } = await fetch(servers[part].url + path, { method: call.method, redirect: 'manual' })
      const isOwn = part === getApi(call)
      hold(`${callName(call)} at ${part}`, isOwn ? status !== 404 && status < 500 : status === 404, status)
    }
    const { status } = await fetch(url + path, { method: call.method, redirect: 'manual' })
    hold(`${callName(call)} at the origin`, status !== 404 && status < 500, status)
  }
  for (const part of PARTS) hold(`/readyz of ${part}`, (await fetch(`${servers[part].url}/readyz`)).status === 200)

  const administrator = await signInLocally(url, 'super@sample.test')
  const request = (path: string, init: Sent = {}, { headers } = administrator): Promise<Response> =>
    fetch(url + path, { ...init, redirect: 'manual', headers: { ...headers, ...init.headers } })
  const json = (body: object, method: string): Sent => ({
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  for (const path of ['/docs', '/openapi.json']) hold(path, (await request(path)).status === 200)

  type Site = { _id: string; slug: string; name: string; version: number; photo: string | null }
  const listed = async (): Promise<Site[]> => (await (await request('/locations-api/sites_pop')).json()) as Site[]
  const before = await listed()
  hold('the sample network is there once, whoever of three loaded it', before.length === sites, before.length)
  const [first] = before
  if (!first) return { pages: addresses.length, calls: calls.length, steps, wrong }

  // Saves at one server, and verifies that the others follow.
  const name = `Apart ${first.name}`
  const saved = await request(`/locations-api/sites/${first._id}`, json({ name }, 'PATCH'))
  hold('a save at the Locations API', saved.status === 200, await saved.text())
  hold(
    'it is in the list at once',
    (await listed()).some((site) => site._id === first._id && site.name === name),
  )
  const history = await request(`/api/history/site/${first._id}`)
  hold('its history at the app server', history.status === 200 && (await history.text()).includes(name))
  const found = await request(`/api/search?q=${encodeURIComponent(name)}`)
  hold('the search at the app server finds it', (await found.text()).includes(first._id))
  const workbook = await request('/api/exports/excel/facilities')
  hold(
    'a download',
    Buffer.from(await workbook.arrayBuffer())
      .subarray(0, 2)
      .toString() === 'PK',
    workbook.status,
  )

  const form = new FormData()
  form.set('file', new File([new Uint8Array(await createPlainImage(300, 200).jpeg().toBuffer())], 'photo.jpg', { type: 'image/jpeg' }))
  const uploaded = await request('/api/pictures', { method: 'POST', body: form })
  const picture = (await uploaded.json()) as { _id: string; url: string }
  hold('a picture is uploaded at the app server', uploaded.status === 200, uploaded.status)
  const pictured = await request(`/locations-api/sites/${first._id}`, json({ photo: picture._id }, 'PATCH'))
  hold('and taken by the Locations API', pictured.status === 200, await pictured.text())
  const shown = await request((await listed()).find(({ _id }) => _id === first._id)?.photo ?? '/')
  hold('and shown from the address the list has', shown.headers.get('content-type') === 'image/jpeg', shown.status)

  // One server authenticates a user, and the others accept the session.
  const colleague = await signInLocally(url, 'colleague@network.test')
  // Requests above their level, and without a session.
  const reads = async (): Promise<number> => (await request('/locations-api/charter_affair/nobody', {}, colleague)).status
  hold('level 10 reads no charter affair', (await reads()) === 403)
  const granted = await request(
    '/api/permissions/new_app_permission',
    json({ applicationID: 'homeroom', userInfo: { azureID: 'colleague@network.test', name: 'A Colleague' } }, 'POST'),
  )
  hold('a permission is granted at the app server', granted.status < 300, await granted.text())
  await soon('it counts at the Locations API', async () => (await reads()) === 404)
  await request('/auth/logout', {}, colleague)
  await soon('a sign-out at the app server counts there too', async () => (await reads()) === 401)

  // Both servers that take requests send mails, and each mail is sent once.
  const sent = await request('/locations-api/is_support', json({ request: 'Is anybody there', name: 'A', email: 'a@network.test' }, 'POST'))
  hold('a support request', sent.status < 300, await sent.text())
  const written = async (): Promise<number> => (await readdir(join(deployment.dataDir, 'mail')).catch((): string[] => [])).length
  for (let attempt = 0; attempt < 100 && (await written()) === 0; attempt++) await pause(100)
  hold('is one mail', (await written()) === 1, await written())

  // One server stops: the others continue, and the session survives.
  await servers.app.stop()
  hold('without the app server, its calls are the proxy’s to refuse', (await request('/api/settings')).status === 502)
  hold('and the lists go on', (await request('/locations-api/sites_pop')).status === 200)
  hold('and the pages go on', (await request('/charters')).status === 200)
  await servers.app.start()
  hold('started again, it knows who is signed in', (await request('/api/settings')).status === 200)

  return { pages: addresses.length, calls: calls.length, steps, wrong }
}
