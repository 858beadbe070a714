import { useEffect } from 'react'

import type { Shortcut } from './keyboard.ts'
import { createStore, useStore } from './store.ts'

// The shortcuts that a page declares: its handlers find them by their keys, and the list shows them while the page is open.

/** Shortcuts of one part of a page. */
export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: Readonly<Record<string, Shortcut>>
  /** What is true of all of them. */
  readonly note?: string
}

/** Those of every page. */
export const EVERYWHERE = {
  search: { keys: ['Ctrl K', '/'], does: 'Search everything' },
  list: { keys: ['?'], does: 'This list' },
} as const satisfies ShortcutGroup['shortcuts']

const groups = createStore<readonly ShortcutGroup[]>([{ title: 'Every page', shortcuts: EVERYWHERE }])
export const useShortcutGroups = (): readonly ShortcutGroup[] => useStore(groups)

/** Lists a group while the component is shown. A group must stay the same between renders. */
export const useListedShortcuts = (group: ShortcutGroup | null): void =>
  useEffect(() => {
    if (group === null) return undefined
    groups.set([...groups.get(), group])
    return () => groups.set(groups.get().toSpliced(groups.get().lastIndexOf(group), 1))
  }, [group])

const isOpen = createStore(false)
export const openShortcutList = (): void => isOpen.set(true)
export const closeShortcutList = (): void => isOpen.set(false)
export const useShortcutList = (): boolean => useStore(isOpen)
