import type { Page } from '@playwright/test'

/** Renders everything while `work` runs: content outside the viewport otherwise has an estimated height and may overlap what follows. */
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
