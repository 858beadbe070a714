import { type ReactNode, useState } from 'react'

import type { CheckedKind } from '../../../../../contract/checks.ts'
import { countOpenFields } from '../../../requests/rules.ts'
import { useRecordSuggestions } from '../../../requests/web/queries.ts'
import { ConfirmCheckDialog } from '../ConfirmCheckDialog.tsx'

/** Checks a record, after a confirmation if it has open suggestions. The dialog that asks for it belongs to the page. */
export const useConfirmedCheck = (
  kind: CheckedKind,
  _id: string,
  { isBusy, check }: { isBusy: boolean; check: () => void },
): { confirmOrCheck: () => Promise<void>; dialog: ReactNode } => {
  const suggestions = useRecordSuggestions(kind, _id)
  const [isConfirming, setConfirming] = useState(false)
  const confirmOrCheck = async () => {
    const { data } = suggestions.isPending ? await suggestions.refetch() : suggestions
    if (countOpenFields(data ?? []) > 0) setConfirming(true)
    else check()
  }
  const dialog = isConfirming ? (
    <ConfirmCheckDialog
      proposals={suggestions.data ?? []}
      isBusy={isBusy}
      onClose={() => setConfirming(false)}
      onCheck={() => {
        setConfirming(false)
        check()
      }}
    />
  ) : null
  return { confirmOrCheck, dialog }
}
