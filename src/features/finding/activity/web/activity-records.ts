import { createContext, use } from 'react'

import type { HistoryParts } from '../../../../contract/history.ts'

/** What the activity page needs of other features: field labels, regions to choose from, and how a changeset is undone. */
export interface ActivityRecords {
  readonly parts: HistoryParts
  readonly regions: readonly { readonly slug: string; readonly name: string }[]
  /** Returns the number of values that were changed afterwards and stay. */
  readonly undoChangeset: (_id: string) => Promise<number>
}

export const ActivityRecordsContext = createContext<ActivityRecords | null>(null)
export const useActivityRecords = (): ActivityRecords => {
  const records = use(ActivityRecordsContext)
  if (!records) throw new Error('Only a part of the activity page can read this')
  return records
}
