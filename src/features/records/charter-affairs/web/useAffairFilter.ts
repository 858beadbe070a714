import { useCallback, useEffect, useMemo, useRef } from 'react'

import { type ListSearch, useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { FieldFilter } from './sections.ts'

export interface AffairFilter {
  readonly typed: ListSearch
  readonly filter: FieldFilter
  readonly setOnlyEmpty: (on: boolean) => void
  readonly setOnlyDeadlines: (on: boolean) => void
  readonly showAll: () => void
}

/** The filter of the fields (`?q=`, `?empty=yes` and `?deadlines=yes`). */
export const useAffairFilter = (): AffairFilter => {
  const typed = useListSearch()
  const [{ empty, deadlines }, change] = useSearchParams()
  const onlyEmpty = empty === 'yes'
  const onlyDeadlines = deadlines === 'yes'
  const { setText: type } = typed
  const latest = useRef(type)
  useEffect(() => {
    latest.current = type
  })
  const showAll = useCallback(() => {
    latest.current('')
    change({ q: undefined, empty: undefined, deadlines: undefined })
  }, [change])
  return {
    typed,
    filter: useMemo(() => ({ typed: typed.deferredText, onlyEmpty, onlyDeadlines }), [typed.deferredText, onlyEmpty, onlyDeadlines]),
    setOnlyEmpty: useCallback((on) => change({ empty: on ? 'yes' : undefined }), [change]),
    setOnlyDeadlines: useCallback((on) => change({ deadlines: on ? 'yes' : undefined }), [change]),
    showAll,
  }
}
