import { useCallback, useEffect, useRef, useState } from 'react'

const OPEN_AFTER_MS = 120
const CLOSE_AFTER_MS = 250

const isBusy = (): boolean =>
  document.activeElement?.closest('[data-year-card]') !== null && document.activeElement?.closest('[data-year-card]') !== undefined

/** Which mark's card is open: it opens on hover and focus, and stays open while the pointer or focus is on it. */
export const useYearCard = () => {
  const [openKey, setOpenKey] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stay = useCallback(() => clearTimeout(timer.current), [])
  const open = useCallback((key: string, isNow: boolean) => {
    clearTimeout(timer.current)
    if (isNow) setOpenKey(key)
    else timer.current = setTimeout(() => setOpenKey(key), OPEN_AFTER_MS)
  }, [])
  const close = useCallback(() => {
    clearTimeout(timer.current)
    setOpenKey(null)
  }, [])
  const leave = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // A dialog opened by the card returns the focus to it.
      if (!isBusy() && document.querySelector('[role="dialog"]') === null) setOpenKey(null)
    }, CLOSE_AFTER_MS)
  }, [])
  return { openKey, open, stay, leave, close }
}
