import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { configuration } from '../../../platform/web/configuration.ts'
import { reading } from '../../../platform/web/queries.ts'
import { findCandidates, LEAST_LETTERS, listPermissions } from '../contract.ts'

/** Fast fingers ask once, not with every letter. */
const ASK_AFTER = 200

/** Who holds what in this application. */
export const usePermissions = () => useQuery(reading(listPermissions, { params: { appId: configuration.appId } }))

/**
 * Who could be made an administrator. A search that somebody has typed on from is cancelled; until the new answer is there, the one before it
 * stays, and `isOf` says that it is this text's own.
 */
export const useCandidates = (text: string) => {
  const wanted = text.trim()
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), ASK_AFTER)
    return () => clearTimeout(timer)
  }, [wanted])
  const isLong = wanted.length >= LEAST_LETTERS
  const query = useQuery({
    ...reading(findCandidates, { query: { q: asked } }),
    enabled: isLong && asked.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
  })
  return { ...query, isLong, isOf: isLong && asked === wanted && query.data !== undefined && !query.isPlaceholderData }
}
