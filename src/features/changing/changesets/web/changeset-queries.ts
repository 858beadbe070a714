import { useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { sendRestore } from '../../history/web/queries.ts'
import { readChangeset, undoChangeset } from '../contract.ts'
import type { ChangedRecord } from './describe-changeset.ts'

/** Changes that were saved together. Others may save in the meantime, so it is requested on every visit. */
export const useChangeset = (id: string) => useQuery({ ...callQueryOptions(readChangeset, { params: { id } }), refetchOnMount: 'always' })

/** Restores what a changeset replaced; true overwrites what others changed since. */
export const useChangesetUndo = (id: string) =>
  useMutation({
    mutationFn: (overwrite: boolean) => withSignIn(() => send(undoChangeset, { params: { id }, body: { overwrite } })),
    onSettled: () => void queryClient.invalidateQueries(),
  })

/** Restores what a changeset replaced in one record, except values that were changed since. */
export const useRecordUndo = ({ changes, name, slug }: Pick<ChangedRecord, 'changes' | 'name' | 'slug'>) =>
  useMutation({
    mutationFn: async () => {
      for (const { _id, record, table, fields } of changes.toReversed()) {
        const own = fields.filter(({ since }) => since === undefined).map(({ field }) => field)
        if (own.length === 0) continue
        const body = { fields: own }
        await withSignIn(() => sendRestore({ table, _id: record, slug }, _id, { body }))
      }
    },
    onSuccess: () => showSuccess({ text: `The earlier values of ${name} are back.` }),
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => void queryClient.invalidateQueries(),
  })
