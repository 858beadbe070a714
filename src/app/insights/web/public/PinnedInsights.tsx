import { lazy } from 'react'

import { useKeptInsights } from '../queries.ts'

const PinnedCards = lazy(() => import('../PinnedCards.tsx').then((module) => ({ default: module.PinnedCards })))

/** The pinned pictures on the home page; the charts are loaded only if there are some. */
export const PinnedInsights = () => {
  const { data: kept } = useKeptInsights()
  const pinned = kept?.filter(({ place }) => place === 'home') ?? []
  return pinned.length === 0 ? null : <PinnedCards pinned={pinned} />
}
