import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

import type { RecordKind } from '../../../../contract/records.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listFailedSearches, search } from '../contract.ts'

/** Debounce time of typing. */
const DEBOUNCE_MS = 60

/** Searches without results. */
export const useFailedSearches = () => useQuery(callQueryOptions(listFailedSearches))

/** The results for a text, of one kind or all. The previous results stay until the new ones are loaded; `isOf` is true if they belong to the text. */
export const useSearch = (text: string, kind: RecordKind | undefined) => {
  const searchText = text.trim()
  const [searched] = useDebouncedValue(searchText, DEBOUNCE_MS)
  const query = useQuery({
    ...callQueryOptions(search, { query: kind ? { q: searched, kind } : { q: searched } }),
    enabled: searched !== '' && searchText !== '',
    placeholderData: keepPreviousData,
  })
  return { ...query, isOf: query.data !== undefined && !query.isPlaceholderData && searched === searchText }
}
