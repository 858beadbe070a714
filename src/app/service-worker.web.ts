import { PrecacheController } from 'workbox-precaching/PrecacheController.js'

import { isFilePath, isServerPath } from '../contract/server-paths.ts'

// Keeps the program on the device: its files and its empty page, never a response of the API. Built by itself (vite.config.ts), since the app is not there.

/** The files of this build, and a hash of them with the page. The build replaces both. */
declare const __FILES__: readonly string[]
declare const __VERSION__: string
/** The settings in the page, whose change is a new version too. The server replaces the text. */
const SETTINGS = '__SETTINGS__'

interface LifeEvent extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void
}
interface WorkerFetchEvent extends LifeEvent {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}
interface WorkerScope {
  readonly addEventListener: {
    (type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
    (type: 'fetch', listener: (event: WorkerFetchEvent) => void): void
    (type: 'message', listener: (event: MessageEvent<{ readonly type?: string } | null>) => void): void
  }
  readonly skipWaiting: () => Promise<void>
  readonly clients: { readonly claim: () => Promise<void> }
}
const scope = self as unknown as WorkerScope

const PREFIX = 'program '
const PAGE = '/'
const version = `${__VERSION__}-${SETTINGS}`

/** Each version has a cache of its own: a page that is still open finds its files in the earlier one. */
const controller = new PrecacheController({
  cacheName: `${PREFIX}${version}`,
  plugins: [
    {
      // During an upgrade of several servers, the page may come from one with another build: the installation then fails, and is tried again later.
      cacheWillUpdate: async ({ request, response }) => {
        if (response.status !== 200) return null
        if (new URL(request.url).pathname !== PAGE) return response
        const text = await response.clone().text()
        const entries = text.match(/\/assets\/[\w.-]+\.js/g) ?? []
        return entries.length > 0 && entries.every((file) => __FILES__.includes(file)) ? response : null
      },
    },
  ],
})
controller.addToCacheList([...__FILES__.map((url) => ({ url, revision: null })), { url: PAGE, revision: version }])

/** Deletes the files of versions before the previous one. */
const deleteOldVersions = async (): Promise<void> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== controller.strategy.cacheName)
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)))
}

scope.addEventListener('install', (event) => void controller.install(event as Parameters<typeof controller.install>[0]))
scope.addEventListener('activate', (event) => event.waitUntil(Promise.all([deleteOldVersions(), scope.clients.claim()])))
scope.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void scope.skipWaiting()
})

/** The stored page, with a nonce of its own each time. */
const answerPage = async (request: Request): Promise<Response> => {
  const stored = await controller.matchPrecache(PAGE)
  if (!stored) return fetch(request)
  const policy = stored.headers.get('content-security-policy') ?? ''
  const used = /'nonce-([\w-]+)'/.exec(policy)?.[1]
  if (used === undefined) return fetch(request)
  const nonce = crypto.randomUUID()
  const headers = new Headers(stored.headers)
  headers.set('content-security-policy', policy.replaceAll(used, nonce))
  return new Response((await stored.text()).replaceAll(used, nonce), { headers })
}

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!isServerPath(pathname) && !isFilePath(pathname)) event.respondWith(answerPage(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(caches.match(request).then((stored) => stored ?? fetch(request)))
})
