import { useState } from 'react'

type Values = Readonly<Record<string, string | undefined>>

const isSame = (a: Values, b: Values): boolean => [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => a[name] === b[name])

/** The same object while its values are the same, so that a list is filtered again only after a change. */
export const useSameValues = <V extends Values>(values: V): V => {
  const [kept, setKept] = useState(values)
  if (isSame(kept, values)) return kept
  setKept(values)
  return values
}
