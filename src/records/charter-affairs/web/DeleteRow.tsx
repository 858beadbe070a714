import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { Problem } from '../../../contract/problem.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { queryClient } from '../../../platform/web/queries.ts'
import { type CharterWithAffair, readCharterAffair } from '../contract.ts'
import { toAffairSnapshot, sendRowDeletion, type AffairList, AFFAIR_LISTS } from './affair-fields.ts'

interface DeleteRowProps {
  charter: CharterWithAffair
  part: AffairList
  row: string
  name: string
  /** It has unsaved changes. */
  isTypedIn: boolean
  /** The version on the screen; undefined if the row is already deleted. */
  version: number | undefined
  /** Called with the affair after the deletion, or after someone else's change. */
  onAnswer: (answer: CharterWithAffair) => void
  /** Moves focus after the deletion. */
  onDeleted: () => void
  onClose: () => void
}

/** Asks for confirmation before a member or a district is deleted. */
export const DeleteRow = ({ charter, part, row, name, isTypedIn, version, onAnswer, onDeleted, onClose }: DeleteRowProps) => {
  const read = () => send(readCharterAffair, { params: { id: charter._id } })
  const [seen, setSeen] = useState(version)
  const [saves] = useState<string[]>([])
  const deleting = useMutation({
    mutationFn: async () => {
      try {
        return await withSignIn(() => (seen === undefined ? read() : sendRowDeletion(charter._id, part, row, { version: seen, saves })))
      } catch (error) {
        const status = error instanceof Problem ? error.status : 0
        // Someone else has deleted it already.
        if (status === 404) return read()
        if (status !== 412) throw error
        const now = await read()
        setSeen(toAffairSnapshot(now).parts?.[`${part}.${row}`])
        // Shows the other change before the deletion, unless this user has typed into the row.
        if (!isTypedIn) onAnswer(now)
        throw new Problem(412, `Someone else changed ${name} after you opened it. Press Delete again to delete it anyway`)
      }
    },
    onSuccess: (answer) => {
      onAnswer(answer)
      void queryClient.invalidateQueries()
      showSaved({ text: `${name} was deleted. You can restore it from History.`, saves })
      onClose()
      onDeleted()
    },
  })
  return (
    <Dialog
      title={`Delete ${name}?`}
      confirmLabel="Delete"
      isDestructive
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        The {AFFAIR_LISTS[part].one} is removed right away, even if you don’t save other changes. You can restore it from History.
        {isTypedIn ? ' Your unsaved changes to it will be lost.' : ''}
      </p>
    </Dialog>
  )
}
