import type { AnyRouter } from '@tanstack/react-router'

/** One entry of this tab's navigation history: its URL and the name of its page. */
interface VisitedPage {
  pathname: string
  /** The full path, including search parameters. */
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
  const recentPages = Object.entries(readHistory()).filter(([at]) => Number(at) < index && Number(at) > index - MAX_PAGES)
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(recentPages), [index]: step }))
  } catch {
    // Storage is disabled: back links lead to their list instead.
  }
}

/** Tracks which page each entry of the browser's history shows. Called once, when the router is created. */
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

/** Sets the name of the current page, which back links to it show. */
export const nameCurrentPage = (router: AnyRouter, name: string): void => {
  const { pathname, href, state } = router.history.location
  writePage(state.__TSR_index, { pathname, href, name })
}

/** The latest earlier entry that is not a page of the same record, and how many steps back it is. */
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
