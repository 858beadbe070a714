import type { Page } from '@playwright/test'

/** Has everything drawn while `work` looks: what is far from the window has a guessed height until then, and lies on what comes after it. */
export const withAllDrawn = async <T>(page: Page, work: () => Promise<T>): Promise<T> => {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  const result = await work()
  await page.evaluate(() => void document.adoptedStyleSheets.pop())
  return result
}
