import { lazy, Suspense } from 'react'

import { useNotCheckedFilter } from '../features/changing/checks/web/public/not-checked-filter.tsx'
import { ViewMenu } from '../features/finding/saved-views/web/public/ViewMenu.tsx'
import { type BulkActionsProps, type CellsProps, type ListFeatures, withFeatures } from '../platform/web/record-features.tsx'
import { useHasElapsed } from '../platform/web/use-has-elapsed.ts'

interface Selected {
  readonly _id: string
}
const LoadedBulkActions = lazy(() =>
  import('../features/changing/changesets/web/public/BulkActions.tsx').then((module) => ({ default: module.BulkActions<Selected> })),
)

/** Loaded once a row is selected. */
const BulkActions = <T extends Selected>(props: BulkActionsProps<T>) =>
  props.selection && props.selection.records.length > 0 ? (
    <Suspense>
      <LoadedBulkActions {...(props as unknown as BulkActionsProps<Selected>)} />
    </Suspense>
  ) : null

/** The cells of a table show forms of records. */
const EditedCells = lazy(async () => {
  const [{ EditedCells: Edited }, { withRecordFeatures }] = await Promise.all([
    import('./cells.web.tsx'),
    import('./record-features.web.tsx'),
  ])
  return { default: withRecordFeatures(Edited) }
})

/** Loaded with the fields of all kinds, once the table can be used. */
const CELLS_DELAY_MS = 1000
const Cells = (props: CellsProps) =>
  useHasElapsed(CELLS_DELAY_MS) ? (
    <Suspense>
      <EditedCells {...props} />
    </Suspense>
  ) : null

export const listFeatures: ListFeatures = { BulkActions, useNotCheckedFilter, ViewMenu, Cells }

/** A list of records, with what features show there: less than on the pages of records, so that it is loaded sooner. */
export const withListFeatures = withFeatures(listFeatures)
