import { useCallback, useEffect, useMemo, useState } from 'react'

import { deleteDraft, readDraft, saveDraft } from '../../../../platform/web/form/drafts.ts'
import type { SheetPreview } from '../contract.ts'
import { type CellChoice, type Chosen, NOTHING_CHOSEN } from './sheet-choices.ts'

const isEmpty = ({ cells, leftRows, used }: Chosen): boolean => Object.keys(cells).length + leftRows.length + used.length === 0

/** The choices in a preview, stored on this device until it is saved. */
export const useChosen = ({ _id }: SheetPreview) => {
  const name = `sheet ${_id}`
  const [chosen, setChosen] = useState<Chosen>(() => ({
    ...NOTHING_CHOSEN,
    ...(readDraft(name)?.values['chosen'] as Partial<Chosen> | undefined),
  }))
  useEffect(() => {
    if (isEmpty(chosen)) deleteDraft(name)
    else saveDraft(name, { at: new Date().toISOString(), version: null, base: {}, values: { chosen: { ...chosen } } })
  }, [name, chosen])
  const choose = useCallback(
    (addresses: readonly string[], choice: CellChoice | undefined) =>
      setChosen((before) => {
        const cells: Record<string, CellChoice> = { ...before.cells }
        for (const address of addresses) {
          if (choice === undefined) delete cells[address]
          else cells[address] = choice
        }
        return { ...before, cells }
      }),
    [],
  )
  return useMemo(
    () => ({
      chosen,
      choose,
      leaveRow: (row: number, isLeft: boolean) =>
        setChosen((before) => ({ ...before, leftRows: [...before.leftRows.filter((one) => one !== row), ...(isLeft ? [row] : [])] })),
      acceptWarning: (nth: number, isUsed: boolean) =>
        setChosen((before) => ({ ...before, used: [...before.used.filter((one) => one !== nth), ...(isUsed ? [nth] : [])] })),
      clear: () => setChosen(NOTHING_CHOSEN),
    }),
    [chosen, choose],
  )
}
