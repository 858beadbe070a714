import { randomBytes } from 'node:crypto'

import type { Browser } from '@playwright/test'

import { search } from '../../../src/features/finding/search/contract.ts'
import { readSettings } from '../../../src/records/settings/contract.ts'
import { createSender } from '../../support/api-client.ts'
import { toLetters } from '../../support/new-records.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'
import type { TestServer } from '../../support/server.ts'
import { signInAt, type SignedInUser } from '../../support/sessions.ts'
import { type RecordSet, StoredTexts, storeEverywhere } from './api-storage.ts'
import { writeToDatabase } from './direct-storage.ts'
import { searchPalette, visit } from './page-visits.ts'
import { PAGES_OF_A_SET, PAGES_OF_ALL, PAGES_OUTSIDE } from './pages.ts'
import { type Group, groupPayloads, type Payload } from './payloads.ts'
import { Observations, type WatchedPage, openWatchedPage } from './watched-browser.ts'

/** Payloads that share the records of a set. */
const PAYLOADS_PER_SET = 5
/** Windows that view pages concurrently. */
const AT_ONCE = 6

/** A level 1 user whose name and browser are the payload, as a provider might send them. */
const signInAs = async (server: TestServer, text: string): Promise<SignedInUser> => {
  const user = await signInAt(server, 1)
  await server.db.updateTable('account').set({ name: text }).where('_id', '=', user.account).execute()
  await server.db.updateTable('session').set({ userAgent: text }).where('account', '=', user.account).execute()
  return user
}

/** Creates a record of every kind with the payload in each field, through the API. */
const createRecordSet = async (server: TestServer, payload: Group, counted: StoredTexts): Promise<RecordSet> => {
  const { db, url } = server
  const { account, headers } = await signInAs(server, payload.text)
  const send = createSender(url, headers)
  const named = (table: 'region' | 'role', name: string) =>
    db.selectFrom(table).select('_id').where('name', '=', name).executeTakeFirstOrThrow()
  const set: RecordSet = {
    payload,
    word: toLetters(randomBytes(7).toString('hex')),
    region: (await named('region', 'California'))._id,
    role: (await named('role', 'Administrative Assistant'))._id,
    settings: (await send(readSettings, {})).body as RecordSet['settings'],
    made: new Map([['account', { _id: account, slug: account }]]),
  }
  await storeEverywhere(set, send, counted)
  // Searches without results are stored for level 1.
  for (const { text } of payload.parts) await fetch(`${url}${search.path}?q=${encodeURIComponent(`${set.word} ${text}`)}`, { headers })
  return set
}

/** Creates a set of records for every group of payloads, through the API and then directly in the database. */
export const storePayloads = async (server: TestServer, payloads: readonly Payload[]) => {
  const stored = new StoredTexts()
  const sets: RecordSet[] = []
  let columns = 0
  for (const group of groupPayloads(payloads, PAYLOADS_PER_SET)) {
    const set = await createRecordSet(server, group, stored)
    sets.push(set)
    columns += await writeToDatabase(server.db, set)
  }
  return { stored, sets, columns }
}

/** Opens every page that shows the sets; only routes selected by `isIncluded`, if given. `user` is the last user, whose name is a payload. */
export const showPayloads = async (
  browser: Browser,
  server: TestServer,
  sets: readonly RecordSet[],
  isIncluded: (route: string) => boolean = () => true,
) => {
  const seen = new Observations()
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
    const windows = await Promise.all(users.map((user) => openWatchedPage(browser, server.url, seen, user)))
    await runConcurrently(items, windows.length, async (item) => {
      const watched = windows.pop()!
      await look(watched, item)
      windows.push(watched)
    })
    for (const { context } of windows) await context.close()
  }

  const colleagues = await Promise.all(Array.from({ length: Math.min(AT_ONCE, sets.length) }, () => signInAs(server, 'A colleague')))
  await lookInWindows(colleagues, sets, async (watched, set) => {
    const [first = '/', ...others] = select(PAGES_OF_A_SET).flatMap((pages) => pages(set))
    await visit(watched, first, textsOf(set), true)
    await searchPalette(watched, textsOf(set))
    for (const address of others) await visit(watched, address, textsOf(set))
  })

  const user = await signInAs(server, texts[0] ?? '')
  const addresses = [...select(PAGES_OF_ALL).flat(), '/docs']
  await Promise.all([
    lookInWindows([user, user, user], addresses, (watched, address) => visit(watched, address, texts, true)),
    lookInWindows([undefined, undefined, undefined], sets, async (watched, set) => {
      for (const address of select(PAGES_OUTSIDE).flatMap((pages) => pages(set))) await visit(watched, address, [], true)
      for (const text of textsOf(set)) await typeAtTheProvider(watched, text)
      seen.views += set.payload.parts.length
    }),
  ])
  return { seen, user }
}

/** The local provider shows an invalid address on its own page. */
const typeAtTheProvider = async ({ page, settled }: WatchedPage, text: string): Promise<void> => {
  await page.goto('/auth/azure')
  await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''))
  await page.locator('input[name=login]').fill(text)
  await page.locator('input[name=login]').press('Enter')
  await settled()
}
