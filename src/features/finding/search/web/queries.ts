import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import type { RecordKind } from '../../../../platform/contract/records.ts'
import { reading } from '../../../../platform/web/queries.ts'
import { listFailedSearches, search } from '../contract.ts'

/** Fast fingers ask once, not with every letter. */
const DEBOUNCE_MS = 60

/** What was searched for in vain. */
export const useFailedSearches = () => useQuery(reading(listFailedSearches))

/** What is found for a text, of one kind or of all. Until the answer is there, the one before it stays; `isOf` says that it is this text's own. */
export const useSearch = (text: string, kind: RecordKind | undefined) => {
  const wanted = text.trim()
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const query = useQuery({
    ...reading(search, { query: kind ? { q: asked, kind } : { q: asked } }),
    enabled: asked !== '' && wanted !== '',
    placeholderData: keepPreviousData,
  })
  return { ...query, isOf: query.data !== undefined && !query.isPlaceholderData && asked === wanted }
}
