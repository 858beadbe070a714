import { createStore, useStore } from './store.ts'

/** A confirmation with a link: 'Lodi Resource Center was added.' */
export interface SuccessMessage {
  readonly text: string
  readonly link?: { readonly to: string; readonly label: string }
  /** Undoes the action; the notice closes. */
  readonly onUndo?: () => void
}

const message = createStore<SuccessMessage | null>(null)

/** Shows a confirmation across the page until it is closed or the user navigates. */
export const showSuccess = (next: SuccessMessage): void => message.set(next)
export const clearSuccess = (): void => message.set(null)
export const useSuccessMessage = (): SuccessMessage | null => useStore(message)

/** How long an action can be undone before it takes effect. */
const UNDO_MS = 8000

/**
 * Shows a confirmation and runs the action once it can no longer be undone: after some seconds, with the next notice or page, or when the user
 * leaves. For actions that cannot be reverted later, such as an email.
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
