import { createStore, useStore } from './store.ts'

/** The subject of a change request: a site by its slug, or anything else by its name. */
export interface ChangeTarget {
  readonly site: string | null
  readonly name: string
}

const target = createStore<ChangeTarget | null>(null)

/** Opens the change request window. */
export const openChangeWindow = (about: ChangeTarget): void => target.set(about)
export const closeChangeWindow = (): void => target.set(null)
export const useChangeWindow = (): ChangeTarget | null => useStore(target)
