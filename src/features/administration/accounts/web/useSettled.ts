import { useEffect, useState } from 'react'

/** Fast fingers ask once, not with every letter. */
const ASK_AFTER = 200

/** What was typed, once nothing more is typed. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ASK_AFTER)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
