import type { AnyRouter } from '@tanstack/react-router'

/** What the page itself wants focused, else its heading, or the page itself while it has none. */
export const focusPage = (): void => {
  const target =
    document.querySelector<HTMLElement>('#main [data-first-focus]') ??
    document.querySelector<HTMLElement>('#main h1[tabindex]') ??
    document.getElementById('main')
  target?.focus({ preventScroll: true })
}

/** After each step to another page: focus goes to its heading, and `onPage` hears the route's path (`/location/$id`). */
export const trackNavigation = (router: AnyRouter, onPage: (routePath: string) => void): void => {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!pathChanged && fromLocation) return
    const match = router.state.matches.at(-1)
    onPage(match && match.fullPath !== '/$' ? match.fullPath : '/404')
    // On the first page the browser's own beginning is right.
    if (fromLocation) focusPage()
  })
}
