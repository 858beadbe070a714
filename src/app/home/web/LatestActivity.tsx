import { LatestActivityCard } from '../../../features/finding/activity/web/public/LatestActivityCard.tsx'
import { useCan } from '../../../platform/web/caller.ts'
import { RECORD_PARTS } from '../../exports/history.ts'
import type { Home } from '../response.ts'

/** The latest changes, described with the labels of all record kinds. */
export const LatestActivity = (changes: Home['changes']) => (
  <LatestActivityCard parts={RECORD_PARTS} {...changes} mayReadHistory={useCan('read a history')} />
)
