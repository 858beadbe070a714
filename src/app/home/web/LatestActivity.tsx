import { LatestActivityCard } from '../../../features/finding/activity/web/public/LatestActivityCard.tsx'
import { useCan } from '../../../platform/web/caller.ts'
import { brandHistory } from '../../../records/brands/history.ts'
import { affairHistory } from '../../../records/charter-affairs/history.ts'
import { charterHistory } from '../../../records/charters/history.ts'
import { personHistory } from '../../../records/people/history.ts'
import { regionHistory } from '../../../records/regions/history.ts'
import { siteHistory } from '../../../records/sites/history.ts'
import type { Home } from '../contract.ts'

const HISTORY_PARTS = { ...siteHistory, ...affairHistory, ...charterHistory, ...brandHistory, ...personHistory, ...regionHistory }

/** The latest changes, described with the labels of all record kinds. */
export const LatestActivity = (changes: Home['changes']) => (
  <LatestActivityCard parts={HISTORY_PARTS} {...changes} mayReadHistory={useCan('read a history')} />
)
