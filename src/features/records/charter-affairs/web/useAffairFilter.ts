import { useCallback, useEffect, useMemo, useRef } from 'react'

import { useAddress } from '../../../../platform/web/address.ts'
import { type Typed, useTyped } from '../../../../platform/web/list/useTyped.ts'
import type { FieldFilter } from './sections.ts'

export interface AffairFilter {
  readonly typed: Typed
  readonly filter: FieldFilter
  readonly setOnlyEmpty: (on: boolean) => void
  readonly showAll: () => void
}

/** The filter of the fields (`?q=` and `?empty=yes`). */
export const useAffairFilter = (): AffairFilter => {
  const typed = useTyped()
  const [{ empty }, change] = useAddress()
  const onlyEmpty = empty === 'yes'
  const { type } = typed
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
    filter: useMemo(() => ({ typed: typed.wanted, onlyEmpty }), [typed.wanted, onlyEmpty]),
    setOnlyEmpty: useCallback((on) => change({ empty: on ? 'yes' : undefined }), [change]),
    showAll,
  }
}
