import { createStore, useStore } from './store.ts'

/** What a change is asked for: a site by its slug, or anything else by its name. */
export interface ChangeTarget {
  readonly site: string | null
  readonly name: string
}

const target = createStore<ChangeTarget | null>(null)

/** Opens the window that asks for a change. */
export const openChangeWindow = (about: ChangeTarget): void => target.set(about)
export const closeChangeWindow = (): void => target.set(null)
export const useChangeWindow = (): ChangeTarget | null => useStore(target)
