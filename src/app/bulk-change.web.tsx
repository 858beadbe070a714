import { useEffect } from 'react'

import { BulkDialog } from '../features/changing/changesets/web/BulkDialog.tsx'
import { saveSheetOfRecords } from '../features/changing/sheets/web/queries.ts'
import { type BulkTarget, closeBulkWindow } from '../platform/web/bulk-window.ts'
import { recordKinds, WithGroups } from './kinds.web.tsx'

/** The window that changes a field of many records. */
const Change = ({ target }: { target: BulkTarget }) => (
  <WithGroups groups={recordKinds[target.kind].groups}>
    {(groups) => (
      <BulkDialog
        target={target}
        groups={groups}
        isList={(path) => groups.some(({ fields, isList }) => Object.hasOwn(fields, path) && isList?.(path))}
        derivedValues={(path, value) => Object.assign({}, ...groups.map(({ derivedValues }) => derivedValues?.(path, value)))}
        onClose={closeBulkWindow}
      />
    )}
  </WithGroups>
)

/** Downloads a sheet of these records for editing. */
const Sheet = ({ target }: { target: BulkTarget }) => {
  useEffect(() => {
    closeBulkWindow()
    const [own] = recordKinds[target.kind].groups
    if (own) void saveSheetOfRecords(own.sheet, target)
  }, [target])
  return null
}

/** The window that acts on many records of a list, with the fields of every record kind. */
export const Bulk = ({ target }: { target: BulkTarget }) =>
  target.task === 'sheet' ? <Sheet target={target} /> : <Change target={target} />
