import { beforeAll, describe, expect, test } from 'vitest'

import { readDeparture } from '../src/app/departures/contract.ts'
import { listDownloads } from '../src/app/exports/contract.ts'
import { readHome } from '../src/app/home/contract.ts'
import { listAccounts } from '../src/features/access/accounts/contract.ts'
import { listPlannedChanges, readChangeset, undoChangeset } from '../src/features/changing/changesets/contract.ts'
import { listChecks } from '../src/features/changing/checks/contract.ts'
import { readHistory } from '../src/features/changing/history/contract.ts'
import { decideProposal, listOwnRequests, listProposals, listRequests, type Proposal } from '../src/features/changing/requests/contract.ts'
import { readActivity } from '../src/features/finding/activity/contract.ts'
import { listFavorites, listRecent } from '../src/features/finding/favorites/contract.ts'
import { listViews } from '../src/features/finding/saved-views/contract.ts'
import { listFailedSearches } from '../src/features/finding/search/contract.ts'
import { listErrors } from '../src/features/operations/error-log/contract.ts'
import { readUsage } from '../src/features/operations/page-views/contract.ts'
import { startApp, type TestApp } from '../test/support/app.ts'
import { DAY } from './calendar.ts'
import { loadSample } from './load.server.ts'

/** The accounts that the local sign-in page offers. */
const OFFERED = [
  ['super@sample.test', 1],
  ['affairs@sample.test', 5],
  ['manager@sample.test', 6],
  ['staff@sample.test', 10],
] as const

describe('what people did in the sample network', () => {
  const now = new Date()
  let app: TestApp
  let admin: ReturnType<TestApp['as']>
  let proposals: Proposal[]
  /** Signed in with an address of the sample. */
  const signIn = async (address: string) => {
    const account = await app.context.db.selectFrom('account').select('_id').where('azureID', '=', address).executeTakeFirstOrThrow()
    return app.asAccount(account._id)
  }
  beforeAll(async () => {
    app = await startApp()
    await loadSample({ db: app.context.db, sites: 120, now })
    app.context.lists.invalidateAll(true)
    admin = app.as(5)
    proposals = await admin.send(listProposals)
  }, 300_000)

  test('is open and answered requests of both kinds', async () => {
    const { requests } = await admin.send(listRequests)
    expect(new Set(requests.map(({ state }) => state))).toEqual(new Set(['open', 'done', 'declined']))
    expect(new Set(requests.filter(({ state }) => state === 'open').map(({ kind }) => kind))).toEqual(new Set(['change', 'support']))
    expect(requests.filter(({ state, word }) => state === 'declined' && word === null)).toEqual([])
  })

  test('is comments, some of them new for the people they mention, and one in the history of its site', async () => {
    for (const address of ['manager@sample.test', 'staff@sample.test', 'affairs@sample.test']) {
      const [first] = (await (await signIn(address)).send(readHome)).comments.first
      expect(first).toMatchObject({ isNew: true, about: { path: expect.any(String) } })
    }
    const { comments } = await (await signIn('staff@sample.test')).send(readHome)
    const { _id, about, text } = comments.first.find((one) => one.about.kind === 'site') ?? {}
    const history = await admin.send(readHistory, { params: { kind: 'site', id: about?._id ?? '' } })
    expect(history.comments).toEqual([expect.objectContaining({ _id, text })])
  })

  test('is suggestions that can be decided: two of them for one field, and one for a charter affair', async () => {
    const contested = proposals.filter(({ fields }) => fields.some(({ path, rivals }) => path === 'address.phone' && rivals.length > 0))
    expect(contested).toHaveLength(2)
    expect(new Set(contested.map(({ record }) => record._id)).size).toBe(1)
    expect(proposals.map(({ record }) => record.kind)).toContain('charter_affair')
    for (const { fields } of proposals) expect(fields.map(({ problem }) => problem)).toEqual(fields.map(() => null))
    const [first] = contested
    const body = { accept: { 'address.phone': true as const } }
    expect((await admin.trySend(decideProposal, { params: { id: first?._id ?? '' }, body })).statusCode).toBe(200)
    expect(await admin.send(listProposals, { query: { state: 'decided' } })).not.toHaveLength(0)
  })

  test('is a suggestion whose field someone has changed since', () => {
    expect(proposals.filter(({ fields }) => fields.some(({ changed }) => changed !== null))).toHaveLength(1)
  })

  test('is changes planned for the days to come, of two sites together', async () => {
    const planned = await admin.send(listPlannedChanges)
    expect(planned.map(({ others }) => others).toSorted()).toEqual([0, 1, 1])
    for (const { day, fields } of planned) {
      expect(Date.parse(day) - now.getTime()).toBeGreaterThan(-DAY)
      expect(Date.parse(day) - now.getTime()).toBeLessThan(8 * DAY)
      expect(fields.length).toBeGreaterThan(0)
    }
  })

  test('is a sheet that was saved and can be undone, and one that was undone', async () => {
    const changesets = await app.context.db.selectFrom('changeset').select(['_id', 'kind', 'undoes']).orderBy('at').execute()
    expect(changesets.map(({ kind }) => kind)).toEqual(['sheet', 'undo', 'sheet'])
    const [mistaken, , saved] = await Promise.all(changesets.map(({ _id }) => admin.send(readChangeset, { params: { id: _id } })))
    expect(mistaken?.undoneBy).not.toBeNull()
    expect(saved?.undoneBy).toBeNull()
    expect(saved?.changes.length).toBeGreaterThan(5)
    const undone = await admin.trySend(undoChangeset, { params: { id: saved?._id ?? '' } })
    expect(undone.statusCode).toBe(200)
  })

  test('is a person who left last month, whose roles would come back', async () => {
    const left = await app.context.db.selectFrom('person').select('slug').where('leftAt', 'is not', null).execute()
    expect(left).toHaveLength(1)
    const departure = await admin.send(readDeparture, { params: { id: left[0]?.slug ?? '' } })
    expect(JSON.stringify(departure)).toContain('Wendell Brandvold')
  })

  test.each(OFFERED)(
    'gives %s (level %i) a home with something to do or to read, favorites, visited records and saved views',
    async (address) => {
      const user = await signIn(address)
      const home = await user.send(readHome)
      const counts = [home.checks.count, home.suggestions.count, home.requests.count, home.answers.count, home.deadlines.count]
      expect(counts.some((count) => count > 0)).toBe(true)
      expect(home.changes.entries.length).toBeGreaterThan(0)
      expect(await user.send(listFavorites)).not.toHaveLength(0)
      expect(await user.send(listRecent)).not.toHaveLength(0)
      expect(await user.send(listViews)).not.toHaveLength(0)
    },
  )

  test('gives those who only browse their own requests with answers, and a site to check', async () => {
    const staff = await signIn('staff@sample.test')
    const own = await staff.send(listOwnRequests)
    expect(new Set(own.map(({ state }) => state))).toEqual(new Set(['open', 'done', 'declined']))
    expect(await staff.send(listChecks, { query: { due: 'true' } })).not.toHaveLength(0)
  })

  test('fills the pages of administrators: accounts, usage, searches without results, errors, downloads, activity', async () => {
    const top = app.as(1)
    expect((await top.send(listAccounts)).total).toBeGreaterThan(7)
    const usage = await top.send(readUsage, { query: { days: 30 } })
    expect(usage.days.filter(({ views }) => views > 0).length).toBeGreaterThan(15)
    expect(usage.pages.length).toBeGreaterThan(5)
    expect(await top.send(listFailedSearches)).not.toHaveLength(0)
    expect(await top.send(listErrors, { query: { days: 30 } })).toHaveLength(1)
    expect(await top.send(listDownloads)).toHaveLength(2)
    const { entries } = await top.send(readActivity)
    expect(entries.length).toBeGreaterThan(20)
  })
})
