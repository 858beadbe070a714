import { useMemo } from 'react'

import { ACTIVITY_PARTS } from '../features/exchange/exports/activity-parts.ts'
import { ActivityPage } from '../features/record-tools/activity/web/ActivityPage.tsx'
import { undoChangeset } from '../features/record-tools/changesets/contract.ts'
import { send } from '../platform/web/client.ts'
import { useRegions } from '../records/regions/web/queries.ts'

const undo = async (_id: string): Promise<number> => (await send(undoChangeset, { params: { id: _id }, body: {} })).left.length

/** `/activity`, with the names and details of records. */
export const Activity = () => {
  const { data: regions } = useRegions()
  return (
    <ActivityPage
      records={useMemo(
        () => ({
          parts: ACTIVITY_PARTS,
          regions: (regions ?? []).toSorted((a, b) => a.name.localeCompare(b.name)),
          undoChangeset: undo,
        }),
        [regions],
      )}
    />
  )
}
