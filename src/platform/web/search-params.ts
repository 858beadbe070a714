import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** What is behind the `?` of an address: names and words, nothing cleverer, so that people can read and send it. */
export type SearchParams = Readonly<Record<string, string>>

export const parseSearch = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text))

export const formatSearch = (search: Readonly<Record<string, unknown>>): string => {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  if (present.length === 0) return ''
  const written = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
  // Commas may stand in a search as they are; written as %2C, no one could read a list of numbers.
  return `?${written.replaceAll('%2C', ',')}`
}

/**
 * The search of the address and how to change it. Changes replace the address, so that Back leads out of a list and not through
 * every filter that was tried.
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
