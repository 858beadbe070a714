import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 200

/** The text, once it has not changed for a moment. */
export const useDebounced = (text: string): string => {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
