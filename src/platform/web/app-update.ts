import { hasUnsaved } from './form/open-forms.ts'
import { createStore, useStore } from './store.ts'

/** How often a page that stays open looks for a new version. */
const CHECK_MS = 60 * 60_000
/** After the page has loaded: what it still requests comes first. */
const START_AFTER_MS = 4000

/** Replaces the program by its new version; null while there is none. */
const update = createStore<(() => void) | null>(null)
export const useUpdate = (): (() => void) | null => useStore(update)

/** Whether a reload would lose something that was typed: in a form, or in a window without unsaved changes of its own. */
export const isSomethingTyped = (): boolean =>
  hasUnsaved() || [...document.querySelectorAll('textarea')].some(({ value, readOnly }) => value !== '' && !readOnly)

/** Whether this page waits to be loaded again. */
let isReloading = false
const reload = (): void => {
  if (isReloading) return
  isReloading = true
  location.reload()
}

const register = async (): Promise<void> => {
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/service-worker.js', { updateViaCache: 'none' })
  let isWanted = false
  // The first worker of a page, which may wait for a moment or come from another page, has the same program.
  let isControlled = navigator.serviceWorker.controller !== null
  worker.addEventListener('waiting', () => {
    if (!isControlled) return
    update.set(() => {
      isWanted = true
      worker.messageSkipWaiting()
    })
  })
  worker.addEventListener('controlling', () => {
    if (isWanted) reload()
    // Another window has changed to the new version: this one keeps its own files until it is loaded again.
    else if (isControlled) update.set(reload)
    isControlled = true
  })
  await worker.register()
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_MS) return
    checkedAt = Date.now()
    worker.update().catch(() => undefined) // without a network, the next visit looks
  })
}

/** Keeps the program on this device, once the first page has everything it needs. */
export const keepProgram = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = (): void => void register().catch(() => undefined) // refused by the browser, as in a private window: the app works without it
  const soon = (): void => void setTimeout(start, START_AFTER_MS)
  if (document.readyState === 'complete') soon()
  else window.addEventListener('load', soon, { once: true })
}
