import { createContext, use } from 'react'

import type { HistoryParts } from '../../history/rules.ts'

/** Data about records that the activity pages need: field labels, and regions to choose from. */
export interface ActivityRecords {
  readonly parts: HistoryParts
  readonly regions: readonly { readonly slug: string; readonly name: string }[]
}

export const ActivityRecordsContext = createContext<ActivityRecords>({ parts: {}, regions: [] })
export const useActivityRecords = (): ActivityRecords => use(ActivityRecordsContext)
