import type { Browser } from '@playwright/test'

import type { ServerWithDatabase } from '../../support/server-with-database.ts'
import type { SignedInUser } from '../../support/sessions.ts'
import type { RecordSet, Stored } from './api-storage.ts'
import { type VisitTotals, searchPalette, visit } from './page-visits.ts'
import { PAGES_OF_A_SET, PAGES_OF_ALL, PAGES_OUTSIDE } from './pages.ts'
import { createRecordSet, signInAs } from './payload-sets.ts'
import { groupPayloads, type Payload } from './payloads.ts'
import { type Observations, toStorageState, type WatchedPage, openWatchedPage } from './watched-browser.ts'

/** Payloads that share the records of a set. */
const TOGETHER = 5
/** Windows that view pages concurrently. */
const AT_ONCE = 6

export interface Shown {
  readonly looked: VisitTotals
  readonly seen: readonly Observations[]
  /** The last user, whose name is a payload. */
  readonly user: SignedInUser
}

const storageOf = ({ url }: ServerWithDatabase, { headers }: SignedInUser) =>
  toStorageState(url, headers.authorization.slice('Bearer '.length), headers.cookie)

/** Creates a set of records for every group of payloads, through the API and directly in the database. */
export const storePayloads = async (
  server: ServerWithDatabase,
  payloads: readonly Payload[],
): Promise<{ stored: Stored; sets: RecordSet[]; columns: number }> => {
  const stored: Stored = { fields: new Set(), stored: new Set(), refused: new Set() }
  const sets: RecordSet[] = []
  let columns = 0
  for (const group of groupPayloads(payloads, TOGETHER)) {
    const made = await createRecordSet(server, group, stored)
    sets.push(made.set)
    columns += made.columns
  }
  return { stored, sets, columns }
}

/** Opens every page that shows the sets; only routes selected by `isIncluded`, if given. */
export const showPayloads = async (
  browser: Browser,
  server: ServerWithDatabase,
  sets: readonly RecordSet[],
  isIncluded: (route: string) => boolean = () => true,
): Promise<Shown> => {
  const looked: VisitTotals = { views: 0, withPayload: 0, inInputs: 0, broken: [] }
  const seen: Observations[] = []
  const textsOf = ({ payload }: RecordSet): string[] => payload.parts.map(({ text }) => text)
  const texts = sets.flatMap(textsOf)
  const within = async (user: SignedInUser | undefined, work: (watched: WatchedPage) => Promise<void>): Promise<void> => {
    const watched = await openWatchedPage(browser, server.url, user && storageOf(server, user))
    seen.push(watched.seen)
    await work(watched)
    await watched.context.close()
  }

  const select = <Pages>(pages: Readonly<Record<string, Pages>>): Pages[] =>
    Object.entries(pages).flatMap(([route, of]) => (isIncluded(route) ? [of] : []))
  const waiting = [...sets]
  const lookAtSets = async (watched: WatchedPage): Promise<void> => {
    for (let set = waiting.shift(); set; set = waiting.shift()) {
      const made = set
      const addresses = select(PAGES_OF_A_SET).flatMap((pages) => pages(made))
      for (const [place, address] of addresses.entries()) {
        await visit(watched, address, textsOf(made), looked, place === 0)
        if (place === 0) await searchPalette(watched, textsOf(made), looked)
      }
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, sets.length) }, async () => within(await signInAs(server, 'Somebody who looks'), lookAtSets)),
  )

  const user = await signInAs(server, texts[0] ?? '')
  const others = [...select(PAGES_OF_ALL).flat(), '/docs']
  const lookAtOthers = async (watched: WatchedPage): Promise<void> => {
    for (let address = others.shift(); address !== undefined; address = others.shift()) await visit(watched, address, texts, looked, true)
  }
  const unseen = [...sets]
  const lookOutside = async (watched: WatchedPage): Promise<void> => {
    for (let set = unseen.shift(); set; set = unseen.shift()) {
      const made = set
      for (const address of select(PAGES_OUTSIDE).flatMap((pages) => pages(made))) await visit(watched, address, [], looked, true)
      for (const text of textsOf(made)) await typeAtTheProvider(watched, text)
      looked.views += made.payload.parts.length
    }
  }
  await Promise.all([
    ...Array.from({ length: Math.ceil(AT_ONCE / 2) }, () => within(user, lookAtOthers)),
    ...Array.from({ length: Math.min(Math.ceil(AT_ONCE / 2), sets.length) }, () => within(undefined, lookOutside)),
  ])
  return { looked, seen, user }
}

/** The local provider shows an invalid address on its own page. */
const typeAtTheProvider = async ({ page, settled }: WatchedPage, text: string): Promise<void> => {
  await page.goto('/auth/azure')
  await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''))
  await page.locator('input[name=login]').fill(text)
  await page.locator('input[name=login]').press('Enter')
  await settled()
}
