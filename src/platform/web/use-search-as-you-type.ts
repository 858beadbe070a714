import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

import type { Call } from '../../contract/call.ts'
import { isSignedOut } from './failures.ts'
import { callQueryOptions } from './queries.ts'

/** How many people were found; `most` is the limit of a search. */
export const formatFoundCount = (found: number, most: number): string => {
  if (found === 0) return 'No one found'
  if (found >= most) return `Showing the first ${found}. Keep typing to narrow the list.`
  return `${found} ${found === 1 ? 'person' : 'people'} found`
}

/** Fast typing sends one request, not one per letter. */
const DEBOUNCE_MS = 200

type RequestInput<C extends Call> = NonNullable<Parameters<typeof callQueryOptions<C>>[1]>

interface SearchOptions<C extends Call> {
  readonly call: C
  /** Shorter queries send no request. */
  readonly minLength: number
  /** The call's request for a query. */
  readonly toRequest: (text: string) => RequestInput<C>
  /** False if failures are shown immediately, because the server has already waited for another server. */
  readonly canRetry?: boolean
}

/**
 * Searches for the text of a field. A request is canceled when the text changes; until the new response arrives, the previous one stays, and `isOf`
 * says whether it belongs to the current text.
 */
export const useSearchAsYouType = <C extends Call>(text: string, { call, minLength, toRequest, canRetry = true }: SearchOptions<C>) => {
  const trimmedText = text.trim()
  const [debouncedText] = useDebouncedValue(trimmedText, DEBOUNCE_MS)
  const isLong = trimmedText.length >= minLength
  const query = useQuery({
    ...callQueryOptions(call, toRequest(debouncedText)),
    enabled: isLong && debouncedText.length >= minLength,
    placeholderData: keepPreviousData,
    ...(canRetry ? {} : { retry: false }),
  })
  const failed = isLong && query.error && !isSignedOut(query.error) ? query.error : null
  return { ...query, failed, isLong, isOf: isLong && debouncedText === trimmedText && query.data !== undefined && !query.isPlaceholderData }
}
