import { memo } from 'react'

import type { CellGroup } from '../features/changing/cells/web/CellForm.tsx'
import { Cells } from '../features/changing/cells/web/Cells.tsx'
import type { CellsProps } from '../platform/web/record-features.tsx'
import { recordKinds, WithGroups } from './kinds.web.tsx'

const isEdited = (group: object): group is CellGroup => 'edit' in group

/** The cells of a list's table, with the fields of its kind of record. What these show while they are loading belongs to a form. */
const CellsOfKind = (props: CellsProps) => (
  <div hidden>
    <WithGroups groups={recordKinds[props.kind].groups.filter(isEdited)}>
      {(groups) => <Cells {...props} groups={groups.filter(isEdited)} />}
    </WithGroups>
  </div>
)

/** The table is rendered again when it is told how its cells are edited; these are not. */
export const EditedCells = memo(CellsOfKind)
