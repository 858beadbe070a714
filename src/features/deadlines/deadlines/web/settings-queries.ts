import { useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { useSaveSettings } from '../../../../platform/web/use-save-settings.ts'
import { readDeadlineSettings, saveDeadlineSettings, type DeadlineSettingsChange } from '../contract.ts'

export const useDeadlineSettings = () => useQuery(callQueryOptions(readDeadlineSettings))

/** Saves one kind. */
export const useSaveKindSettings = (version: number, onDone: () => void) => {
  const save = (kind: DeadlineSettingsChange['kinds'][number]) => send(saveDeadlineSettings, { body: { kinds: [kind] }, version })
  return useSaveSettings(readDeadlineSettings, save, onDone)
}
