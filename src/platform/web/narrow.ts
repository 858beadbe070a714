import { useSyncExternalStore } from 'react'

/** The specification's narrow screen (section 9, D55). */
const query = matchMedia('(max-width: 745px)')

export const isNarrow = (): boolean => query.matches

export const useIsNarrow = (): boolean =>
  useSyncExternalStore((listener) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }, isNarrow)
