import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { Call } from '../../contract/call.ts'
import { withSignIn } from './form/open-forms.ts'
import { showSaved } from './form/show-saved.ts'
import { getQueryKey } from './queries.ts'

/** Saves settings that `read` reads; reloads them if someone else has saved in between. */
export const useSaveSettings = <Change>(read: Call, save: (change: Change) => Promise<unknown>, onDone: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) => withSignIn(() => save(change)),
    onSuccess: (saved) => {
      client.setQueryData(getQueryKey(read), saved)
      onDone()
      showSaved()
    },
    onError: () => client.invalidateQueries({ queryKey: getQueryKey(read) }),
  })
}
