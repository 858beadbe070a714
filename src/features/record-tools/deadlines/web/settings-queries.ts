import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey } from '../../../../platform/web/queries.ts'
import { readDeadlineSettings, saveDeadlineSettings, type DeadlineSettingsChange } from '../contract.ts'

export const useDeadlineSettings = () => useQuery(callQueryOptions(readDeadlineSettings))

/** Saves one kind; reloads the settings if someone else has saved in between. */
export const useSaveKindSettings = (version: number, onDone: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (kind: DeadlineSettingsChange['kinds'][number]) =>
      withSignIn(() => send(saveDeadlineSettings, { body: { kinds: [kind] }, version })),
    onSuccess: (saved) => {
      client.setQueryData(getQueryKey(readDeadlineSettings), saved)
      onDone()
    },
    onError: () => client.invalidateQueries({ queryKey: getQueryKey(readDeadlineSettings) }),
  })
}
