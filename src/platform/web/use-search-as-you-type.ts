import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import type { Call } from '../../contract/call.ts'
import { callQueryOptions } from './queries.ts'

/** Fast fingers ask once, not with every letter. */
const DEBOUNCE_MS = 200

type RequestInput<C extends Call> = NonNullable<Parameters<typeof callQueryOptions<C>>[1]>

interface SearchOptions<C extends Call> {
  readonly call: C
  /** Fewer letters ask nothing. */
  readonly minLength: number
  /** The text as the call takes it. */
  readonly toRequest: (text: string) => RequestInput<C>
  /** False where a failure is shown immediately: a server that has waited for another one already. */
  readonly canRetry?: boolean
}

/**
 * What a search finds for the text of a field. A search that someone has typed on from is cancelled; until the new answer is there, the one
 * before it stays, and `isOf` says that it is this text's own.
 */
export const useSearchAsYouType = <C extends Call>(text: string, { call, minLength, toRequest, canRetry = true }: SearchOptions<C>) => {
  const trimmedText = text.trim()
  const [debouncedText, setDebouncedText] = useState(trimmedText)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(trimmedText), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [trimmedText])
  const isLong = trimmedText.length >= minLength
  const query = useQuery({
    ...callQueryOptions(call, toRequest(debouncedText)),
    enabled: isLong && debouncedText.length >= minLength,
    placeholderData: keepPreviousData,
    ...(canRetry ? {} : { retry: false }),
  })
  return { ...query, isLong, isOf: isLong && debouncedText === trimmedText && query.data !== undefined && !query.isPlaceholderData }
}
