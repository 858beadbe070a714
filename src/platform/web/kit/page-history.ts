import type { AnyRouter } from '@tanstack/react-router'

/** One step of this tab's way through the app: where it was, and what a page there called itself. */
interface VisitedPage {
  pathname: string
  /** The whole address, search and filters included. */
  href: string
  name?: string
}

const KEY = 'homeroom.trail'
const MAX_PAGES = 60

const readHistory = (): Record<number, VisitedPage> => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<number, VisitedPage>
  } catch {
    return {}
  }
}

const writePage = (index: number, step: VisitedPage): void => {
  const kept = Object.entries(readHistory()).filter(([at]) => Number(at) < index && Number(at) > index - MAX_PAGES)
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [index]: step }))
  } catch {
    // A browser that keeps nothing: back links go to their list instead.
  }
}

/** Remembers, from now on, which page is at which place of the browser's history. Called once, where the router is made. */
export const trackHistory = (router: AnyRouter): void => {
  const note = () => {
    const { pathname, href, state } = router.history.location
    const known = readHistory()[state.__TSR_index]
    if (known?.href === href) return
    const name = known?.pathname === pathname ? known?.name : undefined
    writePage(state.__TSR_index, { pathname, href, ...(name ? { name } : {}) })
  }
  note()
  router.history.subscribe(note)
}

/** Gives the page one is on the name that back links to it show. */
export const nameCurrentPage = (router: AnyRouter, name: string): void => {
  const { pathname, href, state } = router.history.location
  writePage(state.__TSR_index, { pathname, href, name })
}

/** The nearest earlier step that is not a page of the same record, and how many steps back it is. */
export const findPreviousPage = (router: AnyRouter, isOwnPage: (pathname: string) => boolean): (VisitedPage & { steps: number }) | null => {
  const trail = readHistory()
  const here = router.history.location.state.__TSR_index
  for (let index = here - 1; index >= 0; index--) {
    const step = trail[index]
    if (!step) return null
    if (!isOwnPage(step.pathname)) return { ...step, steps: here - index }
  }
  return null
}
