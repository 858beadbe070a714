import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import type { Call } from '../contract/call.ts'
import { reading } from './queries.ts'

/** Fast fingers ask once, not with every letter. */
const ASK_AFTER = 200

type Asked<C extends Call> = NonNullable<Parameters<typeof reading<C>>[1]>

interface Search<C extends Call> {
  readonly call: C
  /** Fewer letters ask nothing. */
  readonly least: number
  /** The text as the call takes it. */
  readonly asked: (text: string) => Asked<C>
  /** False where a failure is told at once: a server that has waited for another one already. */
  readonly triesAgain?: boolean
}

/**
 * What a search finds for the text of a field. A search that somebody has typed on from is cancelled; until the new answer is there, the one
 * before it stays, and `isOf` says that it is this text's own.
 */
export const useAsYouType = <C extends Call>(text: string, { call, least, asked, triesAgain = true }: Search<C>) => {
  const wanted = text.trim()
  const [settled, setSettled] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), ASK_AFTER)
    return () => clearTimeout(timer)
  }, [wanted])
  const isLong = wanted.length >= least
  const query = useQuery({
    ...reading(call, asked(settled)),
    enabled: isLong && settled.length >= least,
    placeholderData: keepPreviousData,
    ...(triesAgain ? {} : { retry: false }),
  })
  return { ...query, isLong, isOf: isLong && settled === wanted && query.data !== undefined && !query.isPlaceholderData }
}
