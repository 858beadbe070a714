import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

import type { SitesMapProps } from './SitesMap.tsx'

let loaded: ComponentType<SitesMapProps> | undefined

interface LazySitesMap {
  /** Undefined while it loads. */
  component: ComponentType<SitesMapProps> | undefined
  failed: boolean
  retry: () => void
}

/** Loads the map component and the shapes of the states on demand; the list works without them. */
export const useSitesMap = (): LazySitesMap => {
  const [{ component, failed }, setState] = useState({ component: loaded, failed: false })
  const [attempts, setAttempts] = useState(0)
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
  }, [attempts])
  return {
    component,
    failed,
    retry: () => {
      setState((before) => ({ ...before, failed: false }))
      setAttempts((before) => before + 1)
    },
  }
}
