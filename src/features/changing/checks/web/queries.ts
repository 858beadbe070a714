import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { type CheckIntervals, type CheckedKind, DEFAULT_INTERVALS } from '../../../../contract/checks.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { useSaveSettings } from '../../../../platform/web/use-save-settings.ts'
import { createCheck, deleteCheck, readCheckSettings, saveCheckSettings } from '../contract.ts'

const settings = callQueryOptions(readCheckSettings)

export const useCheckSettings = () => useQuery(settings)

/** The intervals rarely change: pages do not wait for them, and start with the defaults. */
export const useCheckIntervals = (): CheckIntervals =>
  useQuery({ ...settings, staleTime: 10 * 60_000 }).data?.intervals ?? DEFAULT_INTERVALS

/** Confirms a record, and undoes that. */
export const useCheck = (kind: CheckedKind, _id: string) => {
  const client = useQueryClient()
  const common = {
    onError: (error: unknown) => showError(errorMessage(error)),
    onSettled: () => void client.invalidateQueries(),
  }
  const check = useMutation({ ...common, mutationFn: () => withSignIn(() => send(createCheck, { body: { kind, _id } })) })
  const takeBack = useMutation({ ...common, mutationFn: () => withSignIn(() => send(deleteCheck, { params: { kind, id: _id } })) })
  return { check, takeBack }
}

/** Saves the interval of one kind. */
export const useSaveInterval = (version: number, onDone: () => void) => {
  const save = (intervals: Partial<CheckIntervals>) => send(saveCheckSettings, { body: { intervals }, version })
  return useSaveSettings(readCheckSettings, save, onDone)
}
