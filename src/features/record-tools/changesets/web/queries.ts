import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createChecks } from '../../checks/contract.ts'
import type { CheckedKind } from '../../checks/rules.ts'
import { applyBulkChange, type BulkChange, type BulkPreview, previewBulkChange, undoChangeset } from '../contract.ts'
import { formatCount, type Noun } from '../rules.ts'

/** What a change would do, asked again when it changes; null asks nothing. The last answer stays until the next one. */
export const useBulkPreview = (bulk: BulkChange | null) =>
  useQuery({
    queryKey: ['bulk preview', bulk],
    queryFn: ({ signal }): Promise<BulkPreview | null> =>
      bulk === null ? Promise.resolve(null) : send(previewBulkChange, { body: bulk, signal }),
    enabled: bulk !== null,
    // Others save in between: each opening asks anew.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/** The values that a preview showed, so that a record that has others by now is not overwritten unseen. */
const toSeen = (rows: BulkPreview['rows']) =>
  Object.fromEntries(rows.map(({ _id, cells }) => [_id, Object.fromEntries(cells.map(({ path, before }) => [path, before]))]))

const undo = async (changeset: string, noun: Noun): Promise<void> => {
  try {
    const { changed, left } = await withSignIn(() => send(undoChangeset, { params: { id: changeset }, body: { overwrite: false } }))
    const kept = left.length === 0 ? '' : ` ${formatCount(left.length, ['value', 'values'])} changed afterwards stayed.`
    showSuccess({ text: `${formatCount(changed, noun)} changed back.${kept}` })
  } catch (error) {
    showError(errorMessage(error))
  }
  void queryClient.invalidateQueries()
}

interface BulkSave {
  readonly bulk: BulkChange
  readonly rows: BulkPreview['rows']
  /** A later day, for which the changes are planned. */
  readonly day: string | null
}

/** Saves the rows of a preview as one, or plans them for a day, and says so with a way to undo it. */
export const useBulkSave = (noun: Noun, onSaved: () => void | Promise<void>) =>
  useMutation({
    mutationFn: ({ bulk, rows, day }: BulkSave) =>
      withSignIn(() =>
        send(applyBulkChange, { body: { ...bulk, ids: rows.map(({ _id }) => _id), seen: toSeen(rows), ...(day === null ? {} : { day }) } }),
      ),
    onSuccess: async ({ changeset, changed }, { day }) => {
      await onSaved()
      if (changeset)
        showSuccess({
          text: `${formatCount(changed, noun)} changed.`,
          link: { to: `/changes/${changeset._id}`, label: 'See what changed' },
          onUndo: () => void undo(changeset._id, noun),
        })
      else showSuccess({ text: day === null ? 'Nothing had to be changed.' : `${formatCount(changed, ['change', 'changes'])} planned.` })
    },
    onSettled: () => void queryClient.invalidateQueries(),
  })

/** Says of many records that everything in them is right. */
export const useCheckMany = (noun: Noun, onDone: () => void) =>
  useMutation({
    mutationFn: ({ kind, ids }: { kind: CheckedKind; ids: string[] }) => withSignIn(() => send(createChecks, { body: { kind, ids } })),
    onSuccess: ({ checked }) => {
      onDone()
      showSuccess({ text: `${formatCount(checked, noun)} checked as correct.` })
    },
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => void queryClient.invalidateQueries(),
  })
