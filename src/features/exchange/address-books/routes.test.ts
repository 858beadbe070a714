import { createHash } from 'node:crypto'

import ICAL from 'ical.js'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { connectDevice, getText } from '../../../../test/support/dav.ts'
import { respondNotFound, respondWith, startPhotoDirectory } from '../../../../test/support/photo-directory.ts'
import { createNoisyImage } from '../../../../test/support/pictures.ts'
import { toPicture } from '../../../platform/server/picture-encoding.ts'
import { insertPicture } from '../../../platform/server/stored-pictures.ts'
import { toTokenColumns } from '../../access/session/encrypted-tokens.server.ts'

const PROVIDER = {
  PUBLIC_URL: 'https://homeroom.network.test',
  OIDC_ISSUER: 'https://login.network.test',
  OIDC_CLIENT_ID: 'homeroom',
  OIDC_CLIENT_SECRET: 'q7Rw.2Zk~Lm9Xv4T',
  OIDC_TENANT: 'ours',
  SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
}

const setUp = async (level = 10) => {
  const net = await network()
  const owner = net.as(level)
  const phone = await connectDevice(net, owner)
  const book = (name: string) => `${phone.home}${name}/`
  return { ...net, owner, phone, book, card: `${book('all-staff')}person-${net.principal._id}.vcf` }
}

describe('a program finds the address books', () => {
  test('from the name of the server alone', async () => {
    const { app, phone, owner, region } = await setUp()
    const { account, name } = await owner.who()
    for (const method of ['PROPFIND', 'GET']) {
      const found = await phone.createClient(app, false).request(method, '/.well-known/carddav')
      expect([found.statusCode, found.headers['location']]).toEqual([301, '/dav/'])
    }
    const [root] = await phone.propfind('/dav/', '<D:current-user-principal/><D:resourcetype/>')
    const principal = getText(root, 'current-user-principal')
    expect(principal).toBe(`/dav/principals/${account}/`)
    const [own] = await phone.propfind(principal, '<C:addressbook-home-set/><D:principal-URL/><D:displayname/><C:principal-address/>')
    expect(getText(own, 'addressbook-home-set')).toBe(phone.home)
    expect([getText(own, 'principal-URL'), getText(own, 'displayname')]).toEqual([principal, name])
    expect(own?.missing).toEqual(['principal-address'])
    const properties =
      '<D:resourcetype/><D:displayname/><CS:getctag/><D:sync-token/><D:current-user-privilege-set/><D:supported-report-set/><C:supported-address-data/>'
    const [home, ...books] = await phone.propfind(phone.home, properties, '1')
    expect(home?.href).toBe(phone.home)
    const titles = books.map((book) => getText(book, 'displayname'))
    expect(titles.slice(0, 3)).toEqual(['All staff', 'Leadership', 'Student Support'])
    expect(titles).toEqual(expect.arrayContaining([region.name, 'My favorites']))
    for (const book of books) {
      const listNames = (property: string) =>
        book.properties.get(property)?.children.map(({ name: own, children }) => children[0]?.name ?? own)
      expect(listNames('resourcetype')).toEqual(['collection', 'addressbook'])
      expect(getText(book, 'getctag')).toBe(getText(book, 'sync-token'))
      expect(getText(book, 'getctag')).toMatch(/^\/dav\/sync\/[\da-f-]{36}\/\d+$/)
      expect(listNames('current-user-privilege-set')).toEqual(['read', 'read-current-user-privilege-set'])
      const reports = book.properties.get('supported-report-set')?.children.map(({ children }) => children[0]?.children[0]?.name)
      expect(reports).toEqual(['addressbook-multiget', 'addressbook-query', 'sync-collection'])
      const types = book.properties.get('supported-address-data')?.children.map(({ attributes }) => Object.fromEntries(attributes))
      expect(types).toEqual(['3.0', '4.0'].map((version) => ({ 'content-type': 'text/vcard', version })))
    }
  })

  test('with OPTIONS, which names the protocol and no method that writes', async () => {
    const { app, phone } = await setUp()
    for (const url of ['/dav/', phone.home]) {
      const { statusCode, headers } = await phone.createClient(app, false).request('OPTIONS', url)
      expect([statusCode, headers['dav'], headers['allow']]).toEqual([
        200,
        '1, 3, access-control, addressbook',
        'OPTIONS, GET, HEAD, PROPFIND, REPORT',
      ])
    }
  })

  test('and the names of all properties, or all of them', async () => {
    const { phone, book } = await setUp()
    const ask = async (body?: string) => (await phone.request('PROPFIND', book('all-staff'), body, { depth: '0' })).body
    const names = await ask('<propfind xmlns="DAV:"><propname/></propfind>')
    expect(names).toContain('<D:displayname/>')
    expect(names).not.toContain('All staff')
    for (const body of [undefined, '<propfind xmlns="DAV:"><allprop/></propfind>']) {
      const all = await ask(body)
      expect(all).toContain('<D:displayname>All staff</D:displayname>')
      expect(all).not.toContain('404')
    }
    const minimal = await phone.request(
      'PROPFIND',
      '/dav/',
      '<propfind xmlns="DAV:"><prop><getetag/><x xmlns="urn:x"/></prop></propfind>',
      {
        prefer: 'return=minimal',
      },
    )
    expect(minimal.body).not.toContain('404')
  })

  test('one level at a time', async () => {
    const { phone } = await setUp()
    const deep = await phone.request('PROPFIND', '/dav/', undefined, { depth: 'infinity' })
    expect([deep.statusCode, deep.body]).toEqual([403, expect.stringContaining('<D:propfind-finite-depth/>')])
    const paths = async (url: string) => (await phone.propfind(url, '<D:resourcetype/>', '1')).map(({ href }) => href)
    expect(await paths('/dav/')).toEqual(['/dav/', '/dav/principals/', '/dav/addressbooks/'])
    expect(await paths('/dav/addressbooks/')).toEqual(['/dav/addressbooks/', phone.home])
    expect((await phone.request('PROPFIND', '/dav/', undefined, { depth: '7' })).statusCode).toBe(400)
  })
})

describe('a card', () => {
  test('has the role with the site, the organization, the numbers, the address, the page and the region', async () => {
    const { phone, make, book, context, region, charter, brand } = await setUp()
    const site = await make.site({
      charter: charter._id,
      region: region._id,
      displayName: 'Lodi Resource Center',
      address_1: '1 Main St',
      address_2: 'Suite 4',
      city: 'Lodi',
      state: 'CA',
      zip: '95240',
    })
    const person = await make.person({
      name: 'Dr. Ana de la Cruz',
      phone: '209-555-0142 x12',
      fax: '2095550143',
      email: 'ana@schools.test',
    })
    await make.sitePerson(site._id, 'Principal', person._id)
    const path = `${book('all-staff')}person-${person._id}.vcf`
    const response = await phone.request('GET', path)
    expect(response.headers).toMatchObject({ 'content-type': 'text/vcard; charset=utf-8', 'cache-control': 'no-store' })
    expect(response.body.replaceAll('\r\n ', '').split('\r\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Dr. Ana de la Cruz',
      'N:de la Cruz;Ana;;Dr.;',
      `ORG:${charter.name};${brand.brandName}`,
      'TITLE:Principal\\, Lodi Resource Center',
      'TEL;TYPE=WORK,VOICE:+12095550142,12',
      'TEL;TYPE=WORK,FAX:+12095550143',
      'EMAIL;TYPE=INTERNET,WORK:ana@schools.test',
      'ADR;TYPE=WORK:;;1 Main St\\, Suite 4;Lodi;CA;95240;',
      `CATEGORIES:${region.name}`,
      `URL:${context.configuration.publicUrl}/staff/${person.slug}`,
      `UID:urn:uuid:${person._id}`,
      'END:VCARD',
      '',
    ])
    const again = await phone.request('GET', path, undefined, { 'if-none-match': String(response.headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await phone.request('HEAD', path)).headers['etag']).toBe(response.headers['etag'])
    const [listed] = await phone.propfind(path, '<D:getetag/><D:getcontenttype/>')
    expect(getText(listed, 'getetag')).toBe(response.headers['etag'])
  })

  test('says how many sites a role is at if they are many', async () => {
    const { phone, make, book, charter, region } = await setUp()
    const person = await make.person()
    for (let at = 0; at < 4; at++) {
      const site = await make.site({ charter: charter._id, region: region._id })
      await make.sitePerson(site._id, 'Area Superintendent', person._id)
    }
    const { body } = await phone.request('GET', `${book('leadership')}person-${person._id}.vcf`)
    expect(body).toContain('TITLE:Area Superintendent\\, 4 sites\r\n')
  })

  test('is in version 3.0 unless a program prefers 4.0', async () => {
    const { phone, book, card } = await setUp()
    const get = (accept: string) => phone.request('GET', card, undefined, { accept })
    expect((await get('*/*')).body).toContain('VERSION:3.0')
    expect((await get('text/vcard; version="3.0", text/vcard; version=4.0;q=0.5')).body).toContain('VERSION:3.0')
    const four = await get('text/vcard;version=4.0, text/vcard;q=0.5')
    expect(four.headers['content-type']).toBe('text/vcard; charset=utf-8; version=4.0')
    expect(four.body).toContain('VERSION:4.0')
    const none = await get('text/vcard;version=2.1')
    expect([none.statusCode, none.body]).toEqual([406, expect.stringContaining('<C:supported-address-data-conversion/>')])
    const data = (attributes: string) => phone.multiget(book('all-staff'), [card], `<C:address-data ${attributes}/>`)
    const versionOf = async (attributes: string) => /VERSION:(.*)/.exec(getText((await data(attributes))[0], 'address-data'))?.[1]
    expect(await versionOf('')).toBe('3.0')
    expect(await versionOf('content-type="text/vcard" version="4.0"')).toBe('4.0')
    const reports = phone.report(
      book('all-staff'),
      `<C:addressbook-multiget><D:prop><C:address-data version="4.0"/></D:prop><D:href>${card}</D:href></C:addressbook-multiget>`,
      { accept: 'text/vcard;version=3.0' },
    )
    expect(getText((await reports).responses[0], 'address-data')).toContain('VERSION:4.0')
    await expect(data('content-type="text/vcard" version="2.1"')).rejects.toThrow('<C:supported-address-data/>')
    await expect(data('content-type="application/json"')).rejects.toThrow('<C:supported-address-data/>')
  })

  test('has only the properties that a program wants', async () => {
    const { phone, book, card } = await setUp()
    const [response] = await phone.multiget(
      book('all-staff'),
      [card],
      '<C:address-data><C:prop name="FN"/><C:prop name="uid"/></C:address-data>',
    )
    const contact = new ICAL.Component(ICAL.parse(getText(response, 'address-data')) as never[])
    expect(contact.getAllProperties().map(({ name }) => name)).toEqual(['version', 'fn', 'uid'])
  })

  test('of a site has its front desk number and its picture', async () => {
    const { phone, make, book, context, charter, region } = await setUp()
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const photo = createHash('sha256').update(png).digest('hex')
    await context.db.insertInto('picture').values({ _id: photo, type: 'image/png', width: 1, height: 1, bytes: png }).execute()
    const site = await make.site({ charter: charter._id, region: region._id, phone: '209-555-0100', photo })
    const path = `${book(`region-${region._id}`)}site-${site._id}.vcf`
    const lines = (await phone.request('GET', path)).body.replaceAll('\r\n ', '').split('\r\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'X-ABSHOWAS:COMPANY',
        `FN:${site.displayName}`,
        'N:;;;;',
        `ORG:${site.displayName};${charter.name}`,
        'TEL;TYPE=WORK,VOICE:+12095550100',
        `PHOTO;ENCODING=b;TYPE=PNG:${png.toString('base64')}`,
      ]),
    )
    const four = await phone.request('GET', path, undefined, { accept: 'text/vcard;version=4.0' })
    expect(four.body.replaceAll('\r\n ', '').split('\r\n')).toEqual(
      expect.arrayContaining([
        'KIND:org',
        'TEL;VALUE=uri;TYPE="work,voice":tel:+12095550100',
        `PHOTO:data:image/png;base64,${png.toString('base64')}`,
      ]),
    )
  })

  test('of a site has a small copy of a large picture, as a JPEG', async () => {
    const { phone, make, book, context, charter, region } = await setUp()
    const picture = await toPicture(await createNoisyImage(1200, 800).jpeg().toBuffer())
    await make.write((tx) => insertPicture(tx, picture))
    const site = await make.site({ charter: charter._id, region: region._id, photo: picture._id })
    const { body } = await phone.request('GET', `${book(`region-${region._id}`)}site-${site._id}.vcf`)
    const encoded = /PHOTO;ENCODING=b;TYPE=JPEG:(.*)/.exec(body.replaceAll('\r\n ', ''))?.[1] ?? ''
    const bytes = Buffer.from(encoded, 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 160, height: 107 })
    // The pages still get their own.
    expect(await context.db.selectFrom('picture_size').select(['width', 'type']).where('picture', '=', picture._id).execute()).toEqual([
      { width: 160, type: 'image/jpeg' },
    ])
  })

  test('of a person has the address of their photo where the directory has photos, for the same password', async () => {
    const directory = await startPhotoDirectory()
    directory.respond = respondWith(await createNoisyImage(400, 300).jpeg().toBuffer())
    const app = await startApp({ GRAPH_URL: directory.url, ...PROVIDER })
    const owner = app.as(10)
    const { account } = await owner.who()
    const tokens = { accessToken: 'directory token', expiresAt: Date.now() + 3_600_000 }
    await app.context.db
      .updateTable('account')
      .set(toTokenColumns(app.context.configuration, account, tokens))
      .where('_id', '=', account)
      .execute()
    const person = await app.make.person()
    const phone = await connectDevice(app, owner)
    const { body } = await phone.request('GET', `${phone.home}all-staff/person-${person._id}.vcf`)
    const url = /PHOTO;VALUE=uri:(.*)/.exec(body.replaceAll('\r\n ', ''))?.[1] ?? ''
    expect(url).toBe(`${PROVIDER.PUBLIC_URL}/dav/photos/person-${person._id}`)
    const photo = await phone.request('GET', new URL(url).pathname)
    expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(await sharp(photo.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 208 })
    expect((await phone.createClient(app.app, false).request('GET', new URL(url).pathname)).statusCode).toBe(401)
    directory.respond = respondNotFound
    const without = await app.make.person()
    expect((await phone.request('GET', `/dav/photos/person-${without._id}`)).statusCode).toBe(404)
    expect((await phone.request('GET', '/dav/photos/person-unknown')).statusCode).toBe(404)
    await directory.close()
  })

  test('that does not exist is a 404, alone and among others', async () => {
    const { phone, book, card } = await setUp()
    const wrong = [`${book('all-staff')}person-nobody.vcf`, `${book('all-staff')}x`, '/elsewhere.vcf', '/dav/%', book('all-staff')]
    for (const path of wrong.slice(0, 2)) expect((await phone.request('GET', path)).statusCode).toBe(404)
    const responses = await phone.multiget(book('all-staff'), [...wrong, `https://homeroom.test${card.replace('person', '%70erson')}`])
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, null])
    expect(getText(responses.at(-1), 'address-data')).toContain('BEGIN:VCARD')
  })
})

describe('the address books of someone else', () => {
  test('are not found', async () => {
    const { phone, as } = await setUp()
    const { account } = await as(10).who()
    for (const url of [
      `/dav/principals/${account}/`,
      `/dav/addressbooks/${account}/`,
      `/dav/addressbooks/${account}/all-staff/`,
      '/dav/x/',
    ])
      for (const method of ['PROPFIND', 'GET']) {
        const { statusCode } = await phone.request(method, url, undefined, { depth: '0' })
        // A person who opens an address in a browser reads what it is for.
        expect([method, url, statusCode]).toEqual([method, url, method === 'GET' && url === '/dav/x/' ? 200 : 404])
      }
  })
})

describe('writing', () => {
  test.each(['PUT', 'POST', 'PATCH', 'DELETE', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'ACL'])(
    '%s is refused, and says where to suggest the change',
    async (method) => {
      const { app, phone, context, principal, card, book, site, region } = await setUp(1)
      const { publicUrl } = context.configuration
      const body = method === 'PUT' ? 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Other\r\nEND:VCARD\r\n' : undefined
      const response = await phone.request(method, card, body, body === undefined ? {} : { 'content-type': 'text/vcard' })
      expect([response.statusCode, response.headers['content-type']]).toEqual([403, 'application/xml; charset=utf-8'])
      expect(response.body).toContain('<D:need-privileges/>')
      expect(response.body).toContain(`Suggest the change at ${publicUrl}/staff/${principal.slug}?edit=suggest`)
      const ofSite = await phone.request(method, `${book(`region-${region._id}`)}site-${site._id}.vcf`)
      expect(ofSite.body).toContain(`${publicUrl}/location/${site.slug}?edit=suggest`)
      const created = await phone.request(
        method,
        `${book('all-staff')}new.vcf`,
        body,
        body === undefined ? {} : { 'content-type': 'text/vcard' },
      )
      expect([created.statusCode, created.body]).toEqual([403, expect.stringContaining(`Suggest the change at ${publicUrl}/`)])
      expect((await phone.createClient(app, false).request(method, card)).statusCode).toBe(401)
    },
  )

  test('a large body is refused without being read', async () => {
    const { phone, card } = await setUp()
    const response = await phone.request('PUT', card, 'x'.repeat(6 * 1024 * 1024), { 'content-type': 'text/vcard' })
    expect(response.statusCode).toBe(403)
  })
})

test('someone who opens the address in a browser reads what it is for', async () => {
  const { phone, context } = await setUp()
  const { body, headers } = await phone.request('GET', '/dav/')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toContain(`${context.configuration.publicUrl}/account`)
})
