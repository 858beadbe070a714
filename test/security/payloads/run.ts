import type { Browser } from '@playwright/test'

import { runConcurrently } from '../../support/run-concurrently.ts'
import type { TestServer } from '../../support/server.ts'
import type { SignedInUser } from '../../support/sessions.ts'
import type { RecordSet, Stored } from './api-storage.ts'
import { type VisitTotals, searchPalette, visit } from './page-visits.ts'
import { PAGES_OF_A_SET, PAGES_OF_ALL, PAGES_OUTSIDE } from './pages.ts'
import { createRecordSet, signInAs } from './payload-sets.ts'
import { groupPayloads, type Payload } from './payloads.ts'
import { type Observations, toStorageState, type WatchedPage, openWatchedPage } from './watched-browser.ts'

/** Payloads that share the records of a set. */
const PAYLOADS_PER_SET = 5
/** Windows that view pages concurrently. */
const AT_ONCE = 6

export interface Shown {
  readonly looked: VisitTotals
  readonly seen: readonly Observations[]
  /** The last user, whose name is a payload. */
  readonly user: SignedInUser
}

const storageOf = ({ url }: TestServer, { headers }: SignedInUser) =>
  toStorageState(url, headers.authorization.slice('Bearer '.length), headers.cookie)

/** Creates a set of records for every group of payloads, through the API and directly in the database. */
export const storePayloads = async (
  server: TestServer,
  payloads: readonly Payload[],
): Promise<{ stored: Stored; sets: RecordSet[]; columns: number }> => {
  const stored: Stored = { fields: new Set(), stored: new Set(), refused: new Set() }
  const sets: RecordSet[] = []
  let columns = 0
  for (const group of groupPayloads(payloads, PAYLOADS_PER_SET)) {
    const made = await createRecordSet(server, group, stored)
    sets.push(made.set)
    columns += made.columns
  }
  return { stored, sets, columns }
}

/** Opens every page that shows the sets; only routes selected by `isIncluded`, if given. */
export const showPayloads = async (
  browser: Browser,
  server: TestServer,
  sets: readonly RecordSet[],
  isIncluded: (route: string) => boolean = () => true,
): Promise<Shown> => {
  const looked: VisitTotals = { views: 0, withPayload: 0, inInputs: 0, broken: [] }
  const seen: Observations[] = []
  const textsOf = ({ payload }: RecordSet): string[] => payload.parts.map(({ text }) => text)
  const texts = sets.flatMap(textsOf)
  const select = <Pages>(pages: Readonly<Record<string, Pages>>): Pages[] =>
    Object.entries(pages).flatMap(([route, of]) => (isIncluded(route) ? [of] : []))
  /** A window for each user, nobody signed in if undefined; each looks at the next item when it has seen the one before. */
  const lookInWindows = async <T>(
    users: readonly (SignedInUser | undefined)[],
    items: readonly T[],
    look: (watched: WatchedPage, item: T) => Promise<void>,
  ): Promise<void> => {
    const windows = await Promise.all(users.map((user) => openWatchedPage(browser, server.url, user && storageOf(server, user))))
    seen.push(...windows.map((watched) => watched.seen))
    await runConcurrently(items, windows.length, async (item) => {
      const watched = windows.pop()!
      await look(watched, item)
      windows.push(watched)
    })
    for (const { context } of windows) await context.close()
  }

  const colleagues = await Promise.all(Array.from({ length: Math.min(AT_ONCE, sets.length) }, () => signInAs(server, 'Somebody who looks')))
  await lookInWindows(colleagues, sets, async (watched, set) => {
    const [first = '/', ...others] = select(PAGES_OF_A_SET).flatMap((pages) => pages(set))
    await visit(watched, first, textsOf(set), looked, true)
    await searchPalette(watched, textsOf(set), looked)
    for (const address of others) await visit(watched, address, textsOf(set), looked)
  })

  const user = await signInAs(server, texts[0] ?? '')
  const addresses = [...select(PAGES_OF_ALL).flat(), '/docs']
  await Promise.all([
    lookInWindows([user, user, user], addresses, (watched, address) => visit(watched, address, texts, looked, true)),
    lookInWindows([undefined, undefined, undefined], sets, async (watched, set) => {
      for (const address of select(PAGES_OUTSIDE).flatMap((pages) => pages(set))) await visit(watched, address, [], looked, true)
      for (const text of textsOf(set)) await typeAtTheProvider(watched, text)
      looked.views += set.payload.parts.length
    }),
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
