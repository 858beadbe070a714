import { createStore, useStore } from './store.ts'

/** What a change is asked for: a site by its slug, or anything else by its name. */
export interface ChangeAsked {
  readonly site: string | null
  readonly name: string
}

const asked = createStore<ChangeAsked | null>(null)

/** Opens the window that asks for a change (section 2, D13). */
export const openChangeWindow = (about: ChangeAsked): void => asked.set(about)
export const closeChangeWindow = (): void => asked.set(null)
export const useChangeWindow = (): ChangeAsked | null => useStore(asked)
