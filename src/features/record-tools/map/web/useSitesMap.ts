import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

import type { SitesMapProps } from './SitesMap.tsx'

let loaded: ComponentType<SitesMapProps> | undefined

interface LazySitesMap {
  /** Undefined while it is on its way. */
  component: ComponentType<SitesMapProps> | undefined
  failed: boolean
  retry: () => void
}

/** What draws the map, with the shapes of the states: a chunk of its own. Where it cannot be loaded, the list stands without it. */
export const useSitesMap = (): LazySitesMap => {
  const [{ component, failed }, setState] = useState({ component: loaded, failed: false })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (loaded) return undefined
    let isHere = true
    const load = async () => {
      const chunk = await import('./SitesMap.tsx').catch(() => null)
      loaded = chunk?.SitesMap
      if (isHere) setState({ component: loaded, failed: chunk === null })
    }
    void load()
    return () => {
      isHere = false
    }
  }, [tries])
  return {
    component,
    failed,
    retry: () => {
      setState((before) => ({ ...before, failed: false }))
      setTries((before) => before + 1)
    },
  }
}
