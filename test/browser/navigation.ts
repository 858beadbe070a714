import type { Locator, Page } from '@playwright/test'

/** The page's router, as exposed to its developer tools. */
interface RouterOfPage {
  readonly state: { readonly status: 'idle' | 'pending' }
  readonly navigate: (to: { readonly href: string }) => Promise<void>
  readonly history: { readonly _getBlockers: () => readonly unknown[] }
}

/**
 * Opens a page of the app. The first page of a test is loaded; later ones are opened by client-side navigation, which takes a fraction of the time.
 * The current page is rendered again. A form that would ask before it is left causes a full page load. To test a new document, use `page.goto` and
 * `page.reload`.
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
    // Like a click on a link: a field is updated on blur.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await drawn()
    if (new URL(href, location.href).pathname === location.pathname) await go('/404')
    await go(href)
    scrollTo(0, 0)
    return true
  }, path)
  if (!isThere) await page.goto(path)
}

/** Types fast within the page, so a busy machine causes no pause between two letters. */
export const typeFast = (input: Locator, letters: string): Promise<void> =>
  input.evaluate(async (element, text) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    for (const letter of text) {
      write?.call(element, (element as HTMLInputElement).value + letter)
      element.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }, letters)
