import { beforeAll, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { listDigitRuns } from '../../../../test/support/search-queries.ts'
import { search } from './contract.ts'
import { searchRecords } from './queries.server.ts'

// For users who cannot open charter affairs, search finds, counts and ranks everything as if affairs did not exist.

/** An affair with a word or a number in each of its fields; some of its numbers begin like a phone number, or are also numbers of the charter. */
const NO_CDS = { cds_code: '39-68585-0133678', charter_number: '1872' }
const FUNDING = { corporation: 'Zephyrine Holdings', authorizer: 'Quixotic County', fein: '94-7766554', ...NO_CDS, charter_number: '2095' }
const OVERVIEW = {
  notes: 'Bumblepuppy snollygoster',
  authorizer_email: 'gazump@flummox.test',
  authorizer_phone_number: '661-555-0187',
  cds_code: '15 10157 0124040',
  charter_number: 'ALT7431',
}
const TYPED = [
  ...listDigitRuns(JSON.stringify([NO_CDS, FUNDING, OVERVIEW])),
  ...JSON.stringify([NO_CDS, FUNDING, OVERVIEW])
    .split(/[^\p{L}\p{N}@.-]+/u)
    .filter((word) => word.length > 1),
  'alt7431',
  'ALT743',
  '39 68585 0133678',
  '15101570124040',
]

let app: TestApp
let charter: { readonly _id: string }
beforeAll(async () => {
  app = await startApp()
  const { make } = app
  charter = await make.charter({
    name: 'Plain Charter',
    charter_number: '0418',
    directory_id: '55-10157',
    charterContactnumber: '209-555-0142',
  })
  const other = await make.charter({ name: 'Other Charter', charter_number: '1872', charterContactnumber: '661-555-0187' })
  const site = await make.site({ charter: other._id, phone: '209-568-5013', finance_id: '20951' })
  for (let at = 0; at < 12; at++) await make.site({ finance_id: `3968${at}`, phone: `209-5${10 + at}-1872` })
  await make.sitePerson(site._id)
})

/** The responses for callers who may not open the affair: one level too low, level 10, and a limited API token of a level 1 user. */
const answersTo = async (typed: readonly string[]): Promise<string[]> => {
  const callers = [app.as(7), app.as(10), await app.as(1).program(7)]
  const answers: string[] = []
  for (const [at, q] of typed.entries()) {
    const caller = callers[at % callers.length]
    if (caller) answers.push(JSON.stringify(await caller.send(search, { query: { q } })))
  }
  return answers
}

/** Searches by users who cannot open affairs: every number of three digits, some of four digits, and those of the affair. */
const NUMBERS = [
  ...Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0')),
  ...Array.from({ length: 100 }, (_, n) => String(n * 97).padStart(4, '0')),
  ...TYPED,
]
const answersToNumbers = async (): Promise<string[]> => {
  await app.catchUp()
  const answers: string[] = []
  for (const typed of NUMBERS) {
    const found = await searchRecords(app.context, typed, { maxPerKind: 50, withAffairs: false })
    answers.push(`${typed} ${JSON.stringify(found)}`)
  }
  return answers
}

test('an affair changes no response for callers who may not read it, and finds its charter for people who can', async () => {
  const before = { typed: await answersTo(TYPED), numbers: await answersToNumbers() }
  expect(before.numbers.filter((answer) => answer.includes('"charter"')).length).toBeGreaterThan(5)
  await app.make.affair({
    charter: charter._id,
    charter_no_cds: JSON.stringify(NO_CDS),
    funding: JSON.stringify(FUNDING),
    overview: JSON.stringify(OVERVIEW),
  })
  expect(await answersTo(TYPED)).toEqual(before.typed)
  expect(await answersToNumbers()).toEqual(before.numbers)
  // Nothing changes after everything is read again, as after an import or a lost connection.
  app.context.lists.invalidateAll(true)
  expect(await answersToNumbers()).toEqual(before.numbers)

  const found = async (q: string, caller: Pick<TestApp['anonymous'], 'send'>) =>
    (await caller.send(search, { query: { q } })).groups.some(({ hits }) => hits.some((hit) => '_id' in hit && hit._id === charter._id))
  for (const q of ['39685850133678', '0133678', '2095', 'alt7431', '0124040'])
    for (const caller of [app.as(6), app.as(5), app.as(1), await app.as(1).program(6)]) expect(await found(q, caller), q).toBe(true)
  // Everyone can find the numbers on the charter's own page.
  for (const q of ['0418', '5510157']) expect(await found(q, app.as(10)), q).toBe(true)
}, 240_000)
