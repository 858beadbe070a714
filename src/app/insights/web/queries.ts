import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../contract/call.ts'
import { send } from '../../../platform/web/client.ts'
import { showError } from '../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import {
  deleteKeptInsight,
  type InsightQuery,
  keepInsight,
  type KeptInsight,
  listInsights,
  listKeptInsights,
  readInsight,
} from '../contract.ts'

/** The insights that the reader may see; each has its title in its own answer. */
export const useInsights = () => useQuery(callQueryOptions(listInsights, { query: { titles: 'no' } }))

export const useInsight = (name: string, query: InsightQuery, isEnabled = true) =>
  useQuery({ ...callQueryOptions(readInsight, { params: { name }, query }), placeholderData: keepPreviousData, enabled: isEnabled })

export const useKeptInsights = () => useQuery(callQueryOptions(listKeptInsights))

/** What two filters have in common: the same values, in any order. */
const toKey = (filter: InsightQuery): string => JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => a.localeCompare(b)))

export const findKept = (
  kept: readonly KeptInsight[] | undefined,
  { place, name, filter }: Omit<KeptInsight, '_id'>,
): KeptInsight | undefined => kept?.find((one) => one.place === place && one.name === name && toKey(one.filter) === toKey(filter))

const change = (update: (kept: readonly KeptInsight[]) => readonly KeptInsight[]): void =>
  void queryClient.setQueryData(getQueryKey(listKeptInsights), (kept: readonly KeptInsight[] | undefined) => kept && update(kept))

/** Adds an insight to the home page or the monthly email, and says `done`. The callback is here, because the menu that adds it has closed by then. */
export const useKeepInsight = (done?: string) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof keepInsight>) => send(keepInsight, { body }),
    onSuccess: (added) => {
      change((kept) => [...kept.filter(({ _id }) => _id !== added._id), added])
      if (done) showSuccess({ text: done })
    },
    onError: (error) => showError(errorMessage(error)),
  })

/** Removes it from there. */
export const useDeleteKeptInsight = (done?: string) =>
  useMutation({
    mutationFn: ({ _id }: Pick<KeptInsight, '_id'>) => send(deleteKeptInsight, { params: { id: _id } }),
    onSuccess: (_nothing, { _id }) => {
      change((kept) => kept.filter((one) => one._id !== _id))
      if (done) showSuccess({ text: done })
    },
    onError: (error) => showError(errorMessage(error)),
  })
