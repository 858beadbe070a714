import { createStore, useStore } from './store.ts'

/** What has been done, with a way to it: 'Lodi Resource Center was added.' */
export interface SuccessMessage {
  readonly text: string
  readonly link?: { readonly to: string; readonly label: string }
  /** Takes it back; the notice closes. */
  readonly onUndo?: () => void
}

const message = createStore<SuccessMessage | null>(null)

/** Says across the page that something was done, until it is closed or the reader has gone on to another page. */
export const showSuccess = (next: SuccessMessage): void => message.set(next)
export const clearSuccess = (): void => message.set(null)
export const useSuccessMessage = (): SuccessMessage | null => useStore(message)

/** How long something can be undone before it is really done. */
const UNDO_MS = 8000

/**
 * Says that something was done, and does it once it can no longer be undone: after some seconds, with the next notice or page, or when the reader leaves.
 * For what cannot be taken back later, such as an email to someone.
 */
export const showUndoable = ({ text, run, onUndo }: { text: string; run: () => void; onUndo: () => void }): void => {
  const end = () => {
    clearTimeout(timer)
    unsubscribe()
    window.removeEventListener('pagehide', finish)
  }
  const finish = () => {
    end()
    if (message.get() === shown) clearSuccess()
    run()
  }
  const shown: SuccessMessage = {
    text,
    onUndo: () => {
      end()
      onUndo()
    },
  }
  showSuccess(shown)
  const timer = setTimeout(finish, UNDO_MS)
  const unsubscribe = message.subscribe(() => {
    if (message.get() !== shown) finish()
  })
  window.addEventListener('pagehide', finish)
}
