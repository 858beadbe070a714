import ICAL from 'ical.js'
import { createDAVClient } from 'tsdav'
import Vcard from 'vcf'
import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { connectDevice, getText, readMultistatus } from '../../../../test/support/dav.ts'
import { startListeningApp } from '../../../../test/support/listening-app.ts'
import { updatePerson } from '../../../records/people/contract.ts'

const AWKWARD_NAMES = [
  'Nicolás “Nico” Peña-O’Malley III',
  'Quill; Ada, “A/B”\nEMAIL:evil@x.test',
  `${'王美玲 Ñandú '.repeat(20)}Pérez`,
  'Mary Kate St. John-Smythe, Ed.D.',
]

describe('two parsers of vCards', () => {
  test.each(['3.0', '4.0'])('read the same from every card of version %s', async (version) => {
    const net = await network()
    const phone = await connectDevice(net, net.as(10))
    const { site, make, region } = net
    for (const [at, name] of AWKWARD_NAMES.entries()) {
      const { _id } = await make.person({ name, slug: `awkward-${version}-${at}`, phone: '209-555-0142 x12', fax: '2095550143' })
      await make.sitePerson(site._id, 'Counselor', _id)
    }
    const book = `${phone.home}region-${region._id}/`
    const hrefs = (await phone.sync(book)).responses.map(({ href }) => href)
    const cards = await phone.multiget(book, hrefs, `<C:address-data content-type="text/vcard" version="${version}"/>`)
    expect(cards.length).toBeGreaterThan(AWKWARD_NAMES.length)
    const names: string[] = []
    for (const response of cards) {
      const text = getText(response, 'address-data')
      for (const line of text.split('\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(76)
      const one = new ICAL.Component(ICAL.parse(text) as never[])
      const [other, ...more] = Vcard.parse(`${text.replace(/\r?\n/g, '\r\n')}\r\n`)
      expect(more).toEqual([])
      expect([one.getFirstPropertyValue('version'), other?.version]).toEqual([version, version])
      const read = (name: string): string[] => [other?.get(name) ?? []].flat().map((property) => property.valueOf())
      // Neither library removes all backslashes of version 3.0.
      const unescape = (value: string) => value.replace(/\\([\\,;n])/g, (_all, letter: string) => (letter === 'n' ? '\n' : letter))
      for (const name of ['fn', 'title', 'email', 'uid', 'url'])
        expect([name, read(name).map(unescape)]).toEqual([
          name,
          one.getAllProperties(name).map((property) => unescape(String(property.getFirstValue()))),
        ])
      expect(read('tel').length).toBe(one.getAllProperties('tel').length)
      for (const name of ['n', 'fn']) expect([name, one.getAllProperties(name).length]).toEqual([name, 1])
      names.push(unescape(String(one.getFirstPropertyValue('fn'))))
    }
    expect(names).toEqual(expect.arrayContaining([...AWKWARD_NAMES, site.displayName]))
  })
})

/** Requests as programs send them, from their sources and captures of their traffic. */
describe('the requests', () => {
  const setUp = async () => {
    const net = await network()
    const owner = net.as(10)
    const phone = await connectDevice(net, owner)
    const send = async (method: string, url: string, body: string, headers: Record<string, string> = {}) => {
      const response = await phone.request(method, url, body, headers)
      expect([response.statusCode, response.body.slice(0, 200)]).toEqual([207, expect.any(String)])
      return readMultistatus(response.body)
    }
    return { ...net, phone, send, account: (await owner.who()).account, book: `${phone.home}all-staff/` }
  }

  test('of iOS and macOS are answered', async () => {
    const { send, phone, account, book, principal } = await setUp()
    const agent = { 'user-agent': 'iOS/19.1 (22B83) dataaccessd/1.0', 'content-type': 'text/xml', accept: '*/*', brief: 't' }
    const found = await send(
      'PROPFIND',
      '/dav/',
      `<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:current-user-principal/><A:principal-URL/><A:resourcetype/></A:prop></A:propfind>`,
      { ...agent, depth: '0' },
    )
    expect(getText(found.responses[0], 'principal-URL')).toBe(`/dav/principals/${account}/`)
    const own = await send(
      'PROPFIND',
      `/dav/principals/${account}/`,
      `<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><B:addressbook-home-set xmlns:B="urn:ietf:params:xml:ns:carddav"/><B:directory-gateway xmlns:B="urn:ietf:params:xml:ns:carddav"/><A:displayname/><C:email-address-set xmlns:C="http://calendarserver.org/ns/"/><A:principal-collection-set/><A:principal-URL/><A:resource-id/><A:supported-report-set/></A:prop></A:propfind>`,
      { ...agent, depth: '0' },
    )
    expect(own.responses[0]?.missing).toEqual(['directory-gateway', 'email-address-set', 'resource-id'])
    const home = await send(
      'PROPFIND',
      phone.home,
      `<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:add-member/><D:bulk-requests xmlns:D="http://me.com/_namespace/"/><A:current-user-privilege-set/><A:displayname/><D:guardian-restricted xmlns:D="http://me.com/_namespace/"/><B:max-image-size xmlns:B="urn:ietf:params:xml:ns:carddav"/><B:max-resource-size xmlns:B="urn:ietf:params:xml:ns:carddav"/><C:me-card xmlns:C="http://calendarserver.org/ns/"/><A:owner/><C:push-transports xmlns:C="http://calendarserver.org/ns/"/><C:pushkey xmlns:C="http://calendarserver.org/ns/"/><A:quota-available-bytes/><A:quota-used-bytes/><A:resource-id/><A:resourcetype/><A:supported-report-set/><A:sync-token/></A:prop></A:propfind>`,
      { ...agent, depth: '1' },
    )
    const all = home.responses.find(({ href }) => href === book)
    expect(getText(all, 'sync-token')).not.toBe('')
    const sync = (token: string) =>
      send(
        'REPORT',
        book,
        `<?xml version="1.0" encoding="UTF-8"?><A:sync-collection xmlns:A="DAV:"><A:sync-token>${token}</A:sync-token><A:sync-level>1</A:sync-level><A:prop><A:getetag/></A:prop></A:sync-collection>`,
        { ...agent, depth: '1' },
      )
    const first = await sync('')
    expect(first.token).toBe(getText(all, 'sync-token'))
    expect((await sync(first.token)).responses).toEqual([])
    const cards = await send(
      'REPORT',
      book,
      `<?xml version="1.0" encoding="UTF-8"?><B:addressbook-multiget xmlns:B="urn:ietf:params:xml:ns:carddav"><A:prop xmlns:A="DAV:"><A:getetag/><B:address-data/></A:prop>${first.responses.map(({ href }) => `<A:href xmlns:A="DAV:">${href}</A:href>`).join('')}</B:addressbook-multiget>`,
      { ...agent, depth: '1' },
    )
    expect(cards.responses.map((card) => getText(card, 'address-data')).join('')).toContain(`UID:urn:uuid:${principal._id}`)
  })

  test('of DAVx5 are answered', async () => {
    const { send, phone, book } = await setUp()
    const agent = {
      'user-agent': 'DAVx5/4.4.5-ose (2025/01/01; dav4jvm; okhttp/4.12.0) Android/15',
      'content-type': 'application/xml; charset=utf-8',
    }
    const home = await send(
      'PROPFIND',
      phone.home,
      `<?xml version='1.0' encoding='UTF-8' ?><propfind xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><resourcetype /><displayname /><owner /><current-user-privilege-set /><CARD:addressbook-description /><CAL:calendar-color /><CARD:supported-address-data /><sync-token /></prop></propfind>`,
      { ...agent, depth: '1' },
    )
    const all = home.responses.find(({ href }) => href === book)
    expect(getText(all, 'addressbook-description')).toBe('Everyone in the directory')
    const capabilities = await send(
      'PROPFIND',
      book,
      `<?xml version='1.0' encoding='UTF-8' ?><propfind xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/"><prop><CARD:max-resource-size /><CARD:supported-address-data /><supported-report-set /><CS:getctag /><sync-token /></prop></propfind>`,
      { ...agent, depth: '0' },
    )
    expect(capabilities.responses[0]?.missing).toEqual([])
    const changes = await send(
      'REPORT',
      book,
      `<?xml version='1.0' encoding='UTF-8' ?><sync-collection xmlns="DAV:"><sync-token /><sync-level>1</sync-level><prop><getetag /></prop></sync-collection>`,
      { ...agent, depth: '0' },
    )
    const cards = await send(
      'REPORT',
      book,
      `<?xml version='1.0' encoding='UTF-8' ?><CARD:addressbook-multiget xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><getcontenttype /><getetag /><CARD:address-data content-type="text/vcard" version="4.0" /></prop>${changes.responses
        .slice(0, 10)
        .map(({ href }) => `<href>${href}</href>`)
        .join('')}</CARD:addressbook-multiget>`,
      agent,
    )
    for (const card of cards.responses) {
      expect(getText(card, 'address-data')).toContain('VERSION:4.0')
      expect(getText(card, 'getetag')).toMatch(/^"[\w-]{22}"$/)
    }
  })

  test('of Thunderbird are answered', async () => {
    const { send, phone, book } = await setUp()
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0', 'content-type': 'text/xml' }
    const home = await send(
      'PROPFIND',
      phone.home,
      `<propfind xmlns="DAV:" xmlns:cs="http://calendarserver.org/ns/"><prop><resourcetype/><displayname/><current-user-privilege-set/></prop></propfind>`,
      { ...agent, depth: '1' },
    )
    expect(home.responses.map(({ href }) => href)).toContain(book)
    const listed = await send(
      'PROPFIND',
      book,
      `<propfind xmlns="DAV:" xmlns:cs="http://calendarserver.org/ns/"><prop><resourcetype/><getetag/><cs:getctag/></prop></propfind>`,
      { ...agent, depth: '1' },
    )
    expect(listed.responses.length).toBeGreaterThan(1)
    const sync = await send(
      'REPORT',
      book,
      `<sync-collection xmlns="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><sync-token/><sync-level>1</sync-level><prop><getetag/><card:address-data/></prop></sync-collection>`,
      { ...agent, depth: '1' },
    )
    for (const card of sync.responses) expect(getText(card, 'address-data')).toMatch(/^BEGIN:VCARD\r?\nVERSION:3\.0/)
    const searched = await send(
      'REPORT',
      book,
      `<addressbook-query xmlns="urn:ietf:params:xml:ns:carddav" xmlns:D="DAV:"><D:prop><D:getetag/><address-data/></D:prop><filter test="anyof"><prop-filter name="FN" test="anyof"><text-match collation="i;unicode-casemap" match-type="contains">person</text-match></prop-filter><prop-filter name="EMAIL" test="anyof"><text-match collation="i;unicode-casemap" match-type="contains">person</text-match></prop-filter></filter><limit><nresults>1</nresults></limit></addressbook-query>`,
      { ...agent, depth: '1' },
    )
    expect(searched.responses.map(({ status }) => status)).toEqual([null, 507])
  })

  test('of Outlook’s add-in are answered', async () => {
    const { send, phone, book } = await setUp()
    const agent = { 'user-agent': 'CalDavSynchronizer/4.4', 'content-type': 'application/xml' }
    const well = await phone.request(
      'PROPFIND',
      '/.well-known/carddav',
      '<D:propfind xmlns:D="DAV:"><D:prop><D:current-user-principal/></D:prop></D:propfind>',
      agent,
    )
    expect(well.headers['location']).toBe('/dav/')
    const found = await send(
      'REPORT',
      book,
      `<?xml version="1.0"?><A:addressbook-query xmlns:D="DAV:" xmlns:A="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/></D:prop><A:filter><A:prop-filter name="FN"/></A:filter></A:addressbook-query>`,
      { ...agent, depth: '1' },
    )
    const listed = await send(
      'PROPFIND',
      book,
      `<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop><D:getetag/><D:getcontenttype/></D:prop></D:propfind>`,
      { ...agent, depth: '1' },
    )
    expect(found.responses.map(({ href }) => href)).toEqual(listed.responses.slice(1).map(({ href }) => href))
  })
})

test('tsdav finds, reads and follows the address books', async () => {
  const app = await startListeningApp()
  const { principal } = await app.make.network()
  const { device } = await connectDevice(app, app.as(10))
  const client = await createDAVClient({
    serverUrl: app.context.configuration.publicUrl,
    credentials: { username: device.username, password: device.password },
    authMethod: 'Basic',
    defaultAccountType: 'carddav',
  })
  const books = await client.fetchAddressBooks()
  expect(books.map(({ displayName }) => displayName)).toEqual(expect.arrayContaining(['All staff', 'Leadership', 'My favorites']))
  const all = books.find(({ displayName }) => displayName === 'All staff')
  if (!all) throw new Error('There is no address book of all staff')
  const cards = await client.fetchVCards({ addressBook: all })
  expect(cards.map(({ data }) => String(data)).join('')).toContain(`FN:${principal.name}`)
  const collection = { ...all, objects: cards, objectMultiGet: client.addressBookMultiGet }
  const sync = () => client.smartCollectionSync({ collection, method: 'webdav', detailedResult: true })
  const before = await sync()
  expect([before.objects.created, before.objects.updated, before.objects.deleted].flat()).toEqual([])
  await app.as(6).send(updatePerson, { params: { id: principal._id }, body: { name: 'Renamed Person' } })
  const after = await sync()
  expect(after.objects.updated.map(({ data }) => String(data)).join('')).toContain('FN:Renamed Person')
  expect([after.objects.created, after.objects.deleted]).toEqual([[], []])
})
