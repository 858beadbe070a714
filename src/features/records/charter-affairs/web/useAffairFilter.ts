import { useCallback, useEffect, useMemo, useRef } from 'react'

import { type ListSearch, useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { FieldFilter } from './sections.ts'

export interface AffairFilter {
  readonly typed: ListSearch
  readonly filter: FieldFilter
  readonly setOnlyEmpty: (on: boolean) => void
  readonly showAll: () => void
}

/** The filter of the fields (`?q=` and `?empty=yes`). */
export const useAffairFilter = (): AffairFilter => {
  const typed = useListSearch()
  const [{ empty }, change] = useSearchParams()
  const onlyEmpty = empty === 'yes'
  const { setText: type } = typed
  const latest = useRef(type)
  useEffect(() => {
    latest.current = type
  })
  const showAll = useCallback(() => {
    latest.current('')
    change({ q: undefined, empty: undefined })
  }, [change])
  return {
    typed,
    filter: useMemo(() => ({ typed: typed.deferredText, onlyEmpty }), [typed.deferredText, onlyEmpty]),
    setOnlyEmpty: useCallback((on) => change({ empty: on ? 'yes' : undefined }), [change]),
    showAll,
  }
}
