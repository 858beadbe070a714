import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useSaveSettings } from '../../../../platform/web/use-save-settings.ts'
import { type CheckIntervals, createCheck, deleteCheck, readCheckSettings, saveCheckSettings } from '../contract.ts'
import { type CheckedKind, DEFAULT_INTERVALS, listNotCheckedFilters, NOT_CHECKED_PATTERN } from '../rules.ts'

const settings = callQueryOptions(readCheckSettings)

export const useCheckSettings = () => useQuery(settings)

/** The intervals rarely change: pages do not wait for them, and start with the defaults. */
export const useCheckIntervals = (): CheckIntervals =>
  useQuery({ ...settings, staleTime: 10 * 60_000 }).data?.intervals ?? DEFAULT_INTERVALS

/** The filter of a list by the last check (`?unchecked=180`). */
export interface NotCheckedFilterState {
  readonly value: string | undefined
  /** None if this kind is not checked. */
  readonly choices: readonly string[]
  readonly onChange: (value: string | undefined) => void
}

export const useNotCheckedFilter = (kind: CheckedKind): NotCheckedFilterState => {
  const [{ unchecked }, change] = useSearchParams()
  const interval = useCheckIntervals()[kind]
  const value = unchecked !== undefined && NOT_CHECKED_PATTERN.test(unchecked) ? unchecked : undefined
  const offered = interval === null && value === undefined ? [] : listNotCheckedFilters(interval)
  return {
    value,
    choices: value === undefined || offered.includes(value) ? offered : [value, ...offered],
    onChange: (chosen) => change({ unchecked: chosen }),
  }
}

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
