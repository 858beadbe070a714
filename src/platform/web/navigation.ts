import type { AnyRouter } from '@tanstack/react-router'

/** Focuses the page's `data-first-focus` element, else its heading, or the page itself if it has none. */
export const focusPage = (): void => {
  const target =
    document.querySelector<HTMLElement>('#main [data-first-focus]') ??
    document.querySelector<HTMLElement>('#main h1[tabindex]') ??
    document.getElementById('main')
  target?.focus({ preventScroll: true })
}

/** After each navigation, focuses the new page and calls `onPage` with the route's path (`/location/$id`). */
export const trackNavigation = (router: AnyRouter, onPage: (routePath: string) => void): void => {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!pathChanged && fromLocation) return
    const match = router.state.matches.at(-1)
    onPage(match && match.fullPath !== '/$' ? match.fullPath : '/404')
    // The first page keeps the browser's initial focus.
    if (fromLocation) focusPage()
  })
}
