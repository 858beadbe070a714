import { type AnyRouter, useRouter } from '@tanstack/react-router'

import type { Capability } from '../../contract/capabilities.ts'
import { PAGE_LIST } from '../../contract/pages.ts'

const readDay = (search: string): string | undefined => {
  const day = new URLSearchParams(search).get('on')
  return day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined
}

/**
 * The past day that this page shows, from its address; undefined for the present. It never changes: another day is another load of the page, so that
 * nothing of two days mixes.
 */
export const pastDay = readDay(globalThis.location?.search ?? '')

/** What people can do on a past day: nothing changes it. */
const READS: ReadonlySet<Capability> = new Set(['browse the directory', 'read a charter affair', 'open a SIS site'])
export const isRead = (capability: Capability): boolean => READS.has(capability)
export const isPossible = (capability: Capability): boolean => pastDay === undefined || isRead(capability)

const pagesWithPast: ReadonlySet<string> = new Set(PAGE_LIST.flatMap(([path, { hasPast }]) => (hasPast ? path : [])))

/** Whether the current page can show a past day. */
export const useHasPast = (): boolean => {
  const router: AnyRouter = useRouter()
  return pagesWithPast.has(router.state.matches.at(-1)?.fullPath ?? '')
}

/** An address on another day, or at present. */
export const toDay = (href: string, day: string | undefined): string => {
  const { pathname, searchParams, hash } = new URL(href, location.origin)
  searchParams.delete('on')
  if (day !== undefined) searchParams.set('on', day)
  return `${pathname}${searchParams.size > 0 ? `?${searchParams.toString()}` : ''}${hash}`
}

/** Before a page is shown: loads it anew if it is of another day, or cannot show the past. */
export const keepDay =
  (hasPast: boolean) =>
  async ({ location: { href, searchStr }, preload }: DayContext): Promise<void> => {
    const day = hasPast ? readDay(searchStr) : undefined
    if (day === pastDay || preload) return
    location.assign(toDay(href, day))
    await new Promise(() => {}) // the page ends
  }

interface DayContext {
  readonly location: { readonly href: string; readonly searchStr: string }
  readonly preload: boolean
}
