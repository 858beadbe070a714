import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { connectDevice, getText } from '../../../../test/support/dav.ts'
import { createDeparture } from '../../../app/departures/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { addFavorite, removeFavorite } from '../../finding/favorites/contract.ts'
import { deleteView, saveView, shareView } from '../../finding/saved-views/contract.ts'
import { deleteOldBookStates } from './mutations.server.ts'

const setUp = async () => {
  const net = await network()
  const owner = net.as(10)
  const phone = await connectDevice(net, owner)
  const book = (name: string) => `${phone.home}${name}/`
  const listTitles = async () =>
    new Map((await phone.propfind(phone.home, '<D:displayname/>', '1')).map((found) => [getText(found, 'displayname'), found.href]))
  /** The names of the members, or of what changed since a token; those that are gone with a minus. */
  const sync = async (name: string, token = '') => {
    const found = await phone.sync(name.startsWith('/') ? name : book(name), token)
    const names = found.responses.map(({ href, status }) => `${status === 404 ? '-' : ''}${/([^/]+)\.vcf$/.exec(href)?.[1] ?? ''}`)
    return { names, token: found.token }
  }
  return { ...net, owner, phone, book, sync, listTitles }
}

describe('a sync', () => {
  test('lists everyone at first, nothing while nothing changes, and one card after one person changed', async () => {
    const { as, make, phone, book, sync, principal } = await setUp()
    const first = await sync('all-staff')
    expect(first.names).toContain(`person-${principal._id}`)
    expect(await sync('all-staff', first.token)).toEqual({ names: [], token: first.token })
    const [before] = await phone.propfind(book('all-staff'), '<CS:getctag/>')
    await as(6).send(updatePerson, { params: { id: principal._id }, body: { name: 'Renamed Person' } })
    const second = await sync('all-staff', first.token)
    expect(second.names).toEqual([`person-${principal._id}`])
    const [after] = await phone.propfind(book('all-staff'), '<CS:getctag/>')
    expect(getText(after, 'getctag')).not.toBe(getText(before, 'getctag'))
    const added = await make.person()
    const third = await sync('all-staff', second.token)
    expect(third.names).toEqual([`person-${added._id}`])
    // From an older token, everything since.
    expect((await sync('all-staff', first.token)).names.toSorted()).toEqual([`person-${added._id}`, `person-${principal._id}`].toSorted())
  })

  test('is silent about changes that a card does not show', async () => {
    const { as, sync, principal } = await setUp()
    const { token } = await sync('all-staff')
    await as(6).send(updatePerson, { params: { id: principal._id }, body: { sql_person_id: '900100200' } })
    expect((await sync('all-staff', token)).names).toEqual([])
  })

  test('removes someone who leaves from every book, as a 404', async () => {
    const { as, make, owner, sync, region, site } = await setUp()
    const person = await make.person()
    await make.sitePerson(site._id, 'Registrar', person._id)
    const name = `person-${person._id}`
    await owner.send(addFavorite, { params: { kind: 'person', id: person._id } })
    const books = ['all-staff', 'student-support', `region-${region._id}`, 'favorites']
    const tokens = new Map<string, string>()
    for (const book of books) {
      const { names, token } = await sync(book)
      expect([book, names.includes(name)]).toEqual([book, true])
      tokens.set(book, token)
    }
    expect((await sync('leadership')).names).not.toContain(name)
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    for (const book of books) expect([book, (await sync(book, tokens.get(book))).names]).toEqual([book, [`-${name}`]])
    // A program that starts later never knew them.
    expect((await sync('all-staff')).names).not.toContain(`-${name}`)
  })

  test('moves people between books with their roles and sites', async () => {
    const { make, sync, charter, region } = await setUp()
    const person = await make.person()
    const site = await make.site({ charter: charter._id, region: region._id })
    const nevada = await make.region('Ohio')
    const [lead, here, there] = [await sync('leadership'), await sync(`region-${region._id}`), await sync(`region-${nevada._id}`)]
    const { _id } = await make.sitePerson(site._id, 'Principal', person._id)
    expect((await sync('leadership', lead.token)).names).toEqual([`person-${person._id}`])
    expect((await sync(`region-${region._id}`, here.token)).names).toEqual([`person-${person._id}`])
    await make.write((tx) => tx.updateTable('site').set({ region: nevada._id }).where('_id', '=', site._id).execute())
    expect((await sync(`region-${region._id}`, here.token)).names.toSorted()).toEqual([`-person-${person._id}`, `-site-${site._id}`])
    expect((await sync(`region-${nevada._id}`, there.token)).names.toSorted()).toEqual([`person-${person._id}`, `site-${site._id}`])
    await make.write((tx) => tx.updateTable('site').set({ status: 'CLOSED - PERMANENTLY' }).where('_id', '=', site._id).execute())
    expect((await sync(`region-${nevada._id}`)).names).toEqual([`person-${person._id}`])
    await make.write((tx) => tx.deleteFrom('site_person').where('_id', '=', _id).execute())
    expect((await sync('leadership', lead.token)).names).toEqual([`-person-${person._id}`])
  })

  test('follows the name of a role, a charter or a region', async () => {
    const { make, sync, charter, principal } = await setUp()
    const { token } = await sync('all-staff')
    await make.write((tx) => tx.updateTable('charter').set({ name: 'Renamed Charter' }).where('_id', '=', charter._id).execute())
    expect((await sync('all-staff', token)).names).toEqual([`person-${principal._id}`])
  })
})

describe('address books of one person', () => {
  test('follow their favorites, people and sites', async () => {
    const { as, owner, sync, site, principal, charter } = await setUp()
    const { token } = await sync('favorites')
    for (const [kind, { _id: id }] of [
      ['site', site],
      ['person', principal],
      ['charter', charter],
    ] as const)
      await owner.send(addFavorite, { params: { kind, id } })
    await as(10).send(addFavorite, { params: { kind: 'person', id: principal._id } })
    const second = await sync('favorites', token)
    expect(second.names).toEqual([`person-${principal._id}`, `site-${site._id}`])
    await owner.send(removeFavorite, { params: { kind: 'site', id: site._id } })
    expect((await sync('favorites', second.token)).names).toEqual([`-site-${site._id}`])
  })

  test('are their saved views of people and sites, and those shared with everyone', async () => {
    const { as, owner, make, sync, listTitles, charter, region } = await setUp()
    const closed = await make.site({
      charter: charter._id,
      region: region._id,
      status: 'CLOSED - PERMANENTLY',
      displayName: 'Oakdale Center',
    })
    const counselor = await make.person({ name: 'Counselor Of Views' })
    await make.sitePerson((await make.site({ charter: charter._id, region: region._id }))._id, 'Counselor', counselor._id)
    const save = (name: string, page: string, search: string) => owner.send(saveView, { body: { name, page, search } })
    const sites = await save('Closed sites', '/locations', 'status=closed&q=oakdale&sort=-city&show=table&unchecked=sometimes')
    await save('Counselors', '/support', `role=Counselor&region=${region.slug}&where=name~views`)
    await save('Sites of the region', `/region/${region.slug}`, 'q=Oakdale')
    await save('All charters', '/charters', '')
    await save('Coverage', '/coverage', '')
    const colleague = as(6)
    const shared = await colleague.send(saveView, { body: { name: 'Shared', page: '/leadership', search: 'q=nothing%20like%20it' } })
    await colleague.send(saveView, { body: { name: 'Private', page: '/leadership', search: '' } })
    expect((await listTitles()).has('Shared')).toBe(false)
    await colleague.send(shareView, { params: { id: shared._id }, body: { shared: true } })
    const titles = await listTitles()
    expect([...titles.keys()]).toEqual(expect.arrayContaining(['Closed sites', 'Counselors', 'Sites of the region', 'Shared']))
    for (const absent of ['All charters', 'Coverage', 'Private']) expect(titles.has(absent)).toBe(false)
    expect((await sync(titles.get('Closed sites') ?? '')).names).toEqual([`site-${closed._id}`])
    expect((await sync(titles.get('Counselors') ?? '')).names).toEqual([`person-${counselor._id}`])
    expect((await sync(titles.get('Sites of the region') ?? '')).names).toEqual([`site-${closed._id}`])
    expect((await sync(titles.get('Shared') ?? '')).names).toEqual([])
    await owner.send(deleteView, { params: { id: sites._id } })
    expect((await listTitles()).has('Closed sites')).toBe(false)
  })
})

describe('a sync token', () => {
  test('that is unknown, of another book, or of the future is refused with its precondition', async () => {
    const { phone, book, sync } = await setUp()
    const { token } = await sync('all-staff')
    const other = await sync('leadership')
    for (const wrong of [
      'x',
      'http://elsewhere.test/sync/1',
      other.token,
      token.replace(/\d+$/, '999999'),
      `${token}0000`,
      `${token}/../x`,
    ]) {
      const body = `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${wrong}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`
      const response = await phone.request('REPORT', book('all-staff'), body)
      expect([wrong, response.statusCode, response.body]).toEqual([wrong, 403, expect.stringContaining('<D:valid-sync-token/>')])
    }
  })

  test('from before what is remembered is refused, and later ones are not', async () => {
    const { context, make, phone, book, sync } = await setUp()
    const person = await make.person()
    const first = await sync('all-staff')
    await make.write((tx) => tx.updateTable('person').set({ leftAt: new Date() }).where('_id', '=', person._id).execute())
    const second = await sync('all-staff', first.token)
    expect(second.names).toEqual([`-person-${person._id}`])
    const age = (days: number) =>
      context.db
        .updateTable('address_book_member')
        .set({ removedAt: new Date(Date.now() - days * 86_400_000) })
        .where('name', '=', `person-${person._id}`)
        .execute()
    await age(89)
    await deleteOldBookStates(context.db)
    expect((await sync('all-staff', first.token)).names).toEqual([`-person-${person._id}`])
    await age(91)
    await deleteOldBookStates(context.db)
    await expect(phone.sync(book('all-staff'), first.token)).rejects.toThrow('<D:valid-sync-token/>')
    expect((await sync('all-staff', second.token)).names).toEqual([])
  })

  test('of a book that no program has read for months is refused, and the book starts again', async () => {
    const { context, phone, book, sync, principal } = await setUp()
    const first = await sync('leadership')
    await context.db
      .updateTable('address_book')
      .set({ usedAt: new Date(Date.now() - 91 * 86_400_000) })
      .where('key', '=', 'leadership')
      .execute()
    await deleteOldBookStates(context.db)
    await expect(phone.sync(book('leadership'), first.token)).rejects.toThrow('<D:valid-sync-token/>')
    expect((await sync('leadership')).names).toContain(`person-${principal._id}`)
  })
})

test('a long list is read in parts, with what changes in between', async () => {
  const { make, phone, book, sync } = await setUp()
  for (let at = 0; at < 5; at++) await make.person()
  const whole = await sync('all-staff')
  const seen = new Set<string>()
  let token = ''
  let changed = ''
  for (let parts = 0; ; parts++) {
    const part = await phone.sync(book('all-staff'), token, '<D:limit><D:nresults>3</D:nresults></D:limit>')
    const more = part.responses.find(({ status }) => status === 507)
    const cards = part.responses.filter((response) => response !== more)
    expect(cards.length).toBeLessThanOrEqual(3)
    for (const { href } of cards) seen.add(href)
    token = part.token
    if (parts === 0) {
      const [first] = cards
      changed = first?.href ?? ''
      const id = /person-(.*)\.vcf/.exec(changed)?.[1] ?? ''
      await make.write((tx) => tx.updateTable('person').set({ name: 'Changed In Between' }).where('_id', '=', id).execute())
      seen.delete(changed)
    }
    if (!more) break
    expect(more.href).toBe(book('all-staff'))
  }
  expect(seen.size).toBe(whole.names.length)
  expect(seen.has(changed)).toBe(true)
  expect((await sync('all-staff', token)).names).toEqual([])
})

test('two servers and a restarted one continue one another’s tokens', async () => {
  const first = await startApp()
  const { make } = first
  const { principal } = await make.network()
  const second = await first.startSecond()
  const phone = await connectDevice(first, first.as(10))
  const [here, there] = [phone.createClient(first.app), phone.createClient(second.app)]
  const book = `${phone.home}all-staff/`
  const { token } = await here.sync(book)
  expect(await there.sync(book, token)).toEqual({ responses: [], token })
  await first.as(6).send(updatePerson, { params: { id: principal._id }, body: { name: 'Renamed Here' } })
  const changed = await there.sync(book, token)
  expect(changed.responses.map(({ href }) => href)).toEqual([`${book}person-${principal._id}.vcf`])
  expect(await here.sync(book, changed.token)).toEqual({ responses: [], token: changed.token })
  // Both at once, after a change that neither has recorded: one revision, whoever is first.
  await second.as(6).send(updatePerson, { params: { id: principal._id }, body: { name: 'Renamed There' } })
  const both = await Promise.all([here, there, here, there].map((client) => client.sync(book, changed.token)))
  for (const one of both) expect([one.token, one.responses.length]).toEqual([both[0]?.token, 1])
  const restarted = await first.startSecond()
  const last = both[0]?.token ?? ''
  expect(await phone.createClient(restarted.app).sync(book, last)).toEqual({ responses: [], token: last })
  const [card] = await phone.createClient(restarted.app).multiget(book, [`${book}person-${principal._id}.vcf`])
  expect(getText(card, 'address-data')).toContain('FN:Renamed There')
})
