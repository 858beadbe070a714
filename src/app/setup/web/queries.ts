import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { useCan } from '../../../platform/web/caller.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey } from '../../../platform/web/queries.ts'
import { readSetup, saveSetupStep, type Setup } from '../contract.ts'
import type { SetupStep } from '../rules.ts'

/** How far the setup is; asked for only by people who may set up the program. */
export const useSetup = () => useQuery({ ...callQueryOptions(readSetup), enabled: useCan('set up the program') })

/** Marks a step as done, skipped or open. */
export const useSaveStep = (onSaved: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ step, state }: { step: SetupStep; state: Setup['steps'][number]['state'] }) =>
      withSignIn(() => send(saveSetupStep, { params: { step }, body: { state } })),
    onSuccess: (saved) => {
      client.setQueryData(getQueryKey(readSetup), saved)
      onSaved()
    },
  })
}
