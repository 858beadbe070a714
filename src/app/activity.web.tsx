import { useMemo } from 'react'

import { undoChangeset } from '../features/changing/changesets/contract.ts'
import { ActivityPage } from '../features/finding/activity/web/ActivityPage.tsx'
import { send } from '../platform/web/client.ts'
import { useRegions } from '../records/regions/web/queries.ts'
import { ACTIVITY_PARTS } from './exports/history.ts'

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
