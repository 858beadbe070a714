import { createStore, useStore } from './store.ts'

const isOpen = createStore(false)

/** Opens the IS Support Request window, from the menu and from the login page. */
export const openSupportWindow = (): void => isOpen.set(true)
export const closeSupportWindow = (): void => isOpen.set(false)
export const useSupportWindow = (): boolean => useStore(isOpen)
