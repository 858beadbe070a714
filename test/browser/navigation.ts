import type { Page } from '@playwright/test'

/** The router of the page, where its own developer tools look for it. */
interface RouterOfPage {
  readonly state: { readonly status: 'idle' | 'pending' }
  readonly navigate: (to: { readonly href: string }) => Promise<void>
  readonly history: { readonly _getBlockers: () => readonly unknown[] }
}

/**
 * Opens a page of the app. The first one of a test is loaded; later ones are gone to as by a link, which takes a fraction of the time. A page that
 * is open already is drawn anew. A form, which would ask before it is left, is left with its document. For what a new document alone does,
 * `page.goto` and `page.reload` stay.
 */
export const visit = async (page: Page, path: string): Promise<void> => {
  if (page.url() === 'about:blank') return void (await page.goto(path))
  const isThere = await page.evaluate(async (href) => {
    const router = (self as unknown as { __TSR_ROUTER__?: RouterOfPage }).__TSR_ROUTER__
    if (router === undefined || router.history._getBlockers().length > 0) return false
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const go = async (to: string) => {
      await router.navigate({ href: to })
      while (router.state.status !== 'idle') await drawn()
      await drawn()
    }
    // As a press on a link does: a field notes what was typed when it is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await drawn()
    if (new URL(href, location.href).pathname === location.pathname) await go('/404')
    await go(href)
    scrollTo(0, 0)
    return true
  }, path)
  if (!isThere) await page.goto(path)
}
