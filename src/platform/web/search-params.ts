import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** URL search parameters: plain names and values, so that people can read and share them. */
export type SearchParams = Readonly<Record<string, string>>

export const parseSearch = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text))

export const formatSearch = (search: Readonly<Record<string, unknown>>): string => {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  if (present.length === 0) return ''
  const written = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
  // Commas, colons and semicolons are allowed in a query string; escaped, lists of numbers and filters would be unreadable.
  return `?${written.replace(/%(?:2C|3A|3B)/g, decodeURIComponent)}`
}

/**
 * The URL's search parameters and a function to change them. Changes replace the history entry, so that Back leaves the list instead of stepping
 * through every filter tried.
 */
export const useSearchParams = (): [SearchParams, (change: Readonly<Record<string, string | undefined>>) => void] => {
  const search: SearchParams = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changed: Readonly<Record<string, string | undefined>>) =>
      void navigate({ to: '.', search: (before: SearchParams) => ({ ...before, ...changed }), replace: true, resetScroll: false }),
    [navigate],
  )
  return [search, change]
}
