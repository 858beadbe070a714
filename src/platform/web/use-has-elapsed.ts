import { useEffect, useState } from 'react'

/** Whether a component has been shown for some time: what is over sooner shows no skeleton and no progress. */
export const useHasElapsed = (milliseconds: number): boolean => {
  const [hasElapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return hasElapsed
}
