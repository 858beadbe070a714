import { useEffect, useState } from 'react'

/** Fast fingers ask once, not with every letter. */
const DEBOUNCE_MS = 200

/** What was typed, once nothing more is typed. */
export const useDebounced = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
