import { useCallback, useEffect, useMemo, useRef } from 'react'

import { type ListSearch, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import type { FieldFilter } from './sections.ts'

export interface AffairFilter {
  readonly typed: ListSearch
  readonly filter: FieldFilter
  readonly setOnlyEmpty: (on: boolean) => void
  readonly setOnlyDeadlines: (on: boolean) => void
  /** Undefined if nothing can be changed. */
  readonly setOnlyChanged: ((on: boolean) => void) | undefined
  readonly showAll: () => void
}

/** The filter of the fields (`?q=`, `?empty=yes` and `?deadlines=yes`; in the form `?changed=yes`). */
export const useAffairFilter = ({ isForm = false } = {}): AffairFilter => {
  const typed = useListSearch()
  const [{ empty, deadlines, changed }, change] = useSearchParams()
  const onlyEmpty = empty === 'yes'
  const onlyDeadlines = deadlines === 'yes'
  const onlyChanged = isForm && changed === 'yes'
  const { setText: type } = typed
  const latest = useRef(type)
  useEffect(() => {
    latest.current = type
  })
  const showAll = useCallback(() => {
    latest.current('')
    change({ q: undefined, empty: undefined, deadlines: undefined, changed: undefined })
  }, [change])
  const setOnlyChanged = useCallback((on: boolean) => change({ changed: on ? 'yes' : undefined }), [change])
  return {
    typed,
    filter: useMemo(
      () => ({ typed: typed.deferredText, onlyEmpty, onlyDeadlines, onlyChanged }),
      [typed.deferredText, onlyEmpty, onlyDeadlines, onlyChanged],
    ),
    setOnlyEmpty: useCallback((on) => change({ empty: on ? 'yes' : undefined }), [change]),
    setOnlyDeadlines: useCallback((on) => change({ deadlines: on ? 'yes' : undefined }), [change]),
    setOnlyChanged: isForm ? setOnlyChanged : undefined,
    showAll,
  }
}
