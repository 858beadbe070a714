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
