import { session } from '../../../../platform/web/caller.ts'
import { getCopy, removeCopy } from '../../../../platform/web/offline.ts'

/** How often a page that stays open brings its copy up to date. */
const UPDATE_MS = 5 * 60_000
/** After the first page, which comes first. */
const START_AFTER_MS = 3000

/** Keeps the copy of the directory up to date, and removes it when it belongs to another account or level. */
export const followCopy = (): void => {
  const update = (): void => {
    if (getCopy() === null || session.get().state !== 'signed in' || document.visibilityState !== 'visible') return
    // Without a network, the next time.
    void import('./copy.ts').then(({ updateCopy }) => updateCopy()).catch(() => undefined)
  }
  const check = (): void => {
    const held = getCopy()
    const current = session.get()
    if (held === null || current.state !== 'signed in') return
    const { _id, accessLevel } = current.user
    if (held.user._id === _id && held.user.accessLevel === accessLevel) return
    removeCopy()
    void import('./copy.ts').then(({ endCopy }) => endCopy())
  }
  session.subscribe(check)
  setTimeout(update, START_AFTER_MS)
  setInterval(update, UPDATE_MS)
  window.addEventListener('online', update)
  document.addEventListener('visibilitychange', update)
}
