import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { showSaved } from '../../../../platform/web/form/show-saved.ts'
import { callQueryOptions, getQueryKey } from '../../../../platform/web/queries.ts'
import { readReminderPreferences, type ReminderPreferences, saveReminderPreferences } from '../contract.ts'

export const useReminderPreferences = () => useQuery(callQueryOptions(readReminderPreferences))

export const useSaveReminderPreferences = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ReminderPreferences) => withSignIn(() => send(saveReminderPreferences, { body })),
    onSuccess: (saved) => {
      client.setQueryData(getQueryKey(readReminderPreferences), saved)
      showSaved()
    },
  })
}
