import { findForeignLinks, type WatchedPage } from './watched-browser.ts'

const MAX_WAIT_MS = 120_000
const PALETTE_WAIT = 60_000

/** Opens a URL: by client-side navigation if a page of the app is open, like users do, otherwise by loading it. */
const openAddress = async ({ page }: WatchedPage, address: string, reload: boolean): Promise<void> => {
  if (reload) await page.goto(address, { waitUntil: 'commit' })
  else
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
}

/** Renders everything: scrolls to the end and, unless it is a form or dialog, switches to print. */
const showAll = async ({ page, settled }: WatchedPage, isForPaper: boolean): Promise<void> => {
  await page.evaluate(async () => {
    for (let place = 0; place < document.documentElement.scrollHeight; place += 2000) {
      scrollTo(0, place)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  if (!isForPaper) return
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  await settled()
}

const restoreScreenMedia = async ({ page }: WatchedPage): Promise<void> => {
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: null })
}

/** How often one of the texts is on the page: as text, and in inputs. */
const findTexts = ({ page }: WatchedPage, texts: readonly string[]): Promise<{ read: boolean; inputs: number }> =>
  page.evaluate((given) => {
    const plain = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, '')
    const wanted = given.map(plain)
    const text = plain(document.body.textContent ?? '')
    const inputs = [...document.querySelectorAll('input, textarea')].filter((input) => {
      const value = plain((input as HTMLInputElement).value)
      return wanted.some((one) => value.includes(one))
    }).length
    return { read: inputs > 0 || wanted.some((one) => text.includes(one)), inputs }
  }, texts)

/** Records a view: whether it shows one of the texts, and where it links. Returns how many inputs hold one. */
const recordView = async (watched: WatchedPage, texts: readonly string[], where: string): Promise<number> => {
  const { page, seen } = watched
  const { read, inputs } = await findTexts(watched, texts)
  seen.views++
  if (read) seen.withPayload++
  seen.links.push(...(await findForeignLinks(page)).map((link) => `${link} ${where}`))
  return inputs
}

/** Views a page like users and in print, and records what it shows and where it links. */
export const visit = async (watched: WatchedPage, address: string, texts: readonly string[], reload = false): Promise<void> => {
  const { page, seen, settled } = watched
  await openAddress(watched, address, reload)
  await settled()
  // A page that loads late; one of a missing record goes to /404 after a moment.
  const heading = page.locator('h1').first()
  if (!(await heading.isVisible())) {
    await heading.waitFor({ state: 'attached', timeout: MAX_WAIT_MS }).catch(() => seen.broken.push(`${address}: no heading`))
    await settled()
  }
  const isForPaper = !/[?&](edit|history)=/.test(address)
  await showAll(watched, isForPaper)
  const inputs = await recordView(watched, texts, `on ${address}`)
  seen.inInputs += inputs
  if ((await page.getByText('The problem has been reported').count()) > 0) seen.broken.push(`${address}: an error`)
  if (isForPaper) await restoreScreenMedia(watched)
}

/** Searches in the palette. */
export const searchPalette = async (watched: WatchedPage, texts: readonly string[]): Promise<void> => {
  const { page, settled } = watched
  const field = page.getByRole('combobox', { name: 'Search everything' })
  await page.getByRole('banner').getByRole('button', { name: 'Search everything' }).click({ timeout: PALETTE_WAIT })
  for (const text of texts) {
    await field.fill(text, { timeout: PALETTE_WAIT })
    await settled()
    await recordView(watched, [text], 'in the palette')
  }
  // The first press clears the text.
  for (let presses = 0; presses < 3 && (await field.isVisible()); presses++) {
    await page.keyboard.press('Escape')
    await settled()
  }
}
