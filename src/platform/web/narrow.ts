import { useSyncExternalStore } from 'react'

/** A narrow screen: the menu covers the page. */
const query = matchMedia('(max-width: 745px)')

export const isNarrow = (): boolean => query.matches

export const useIsNarrow = (): boolean =>
  useSyncExternalStore((listener) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }, isNarrow)
