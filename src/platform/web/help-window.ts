import { createStore, useStore } from './store.ts'

const isOpen = createStore(false)

/** Opens or closes the help beside the page. */
export const setHelpOpen = (open: boolean): void => isOpen.set(open)
export const useHelpOpen = (): boolean => useStore(isOpen)
