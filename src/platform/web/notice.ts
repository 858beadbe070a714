import { createStore, useStore } from './store.ts'

/** What has been done, with a way to it: 'Lodi Resource Center was added.' */
export interface Done {
  readonly text: string
  readonly link?: { readonly to: string; readonly label: string }
}

const done = createStore<Done | null>(null)

/** Says across the page that something was done, until it is closed or the reader has gone on to another page. */
export const showDone = (next: Done): void => done.set(next)
export const clearDone = (): void => done.set(null)
export const useDone = (): Done | null => useStore(done)
