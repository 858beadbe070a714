import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import type { BodyOf } from '../../contract/call.ts'
import { createSite, listSiteSummaries, readSite, updateSite, AddressInput, SiteInput } from './contract.ts'

type Sent = BodyOf<typeof createSite>

const setUp = async () => {
  const app = await network()
  const body: Sent = {
    name: 'Lodi',
    displayName: `Lodi ${Math.random().toString(36).slice(2, 8)}`,
    charter: app.charter._id,
    region: app.region._id,
    address: { address_1: '1 Main St', city: 'Lodi', zip: '95240', phone: '209-555-0142' },
    enrollment_info: { registrationEmail: ['a@lodi.example'], interestEmail: ['b@lodi.example'] },
  }
  const errorsOf = async (sent: object): Promise<string[]> => {
    const response = await app.as(6).trySend(createSite, { body: sent as Sent })
    expect(response.statusCode).toBe(422)
    return (response.json().errors as { path: string; message: string }[]).map(({ path, message }) => `${path}: ${message}`).toSorted()
  }
  return { ...app, body, errorsOf }
}

describe('a new site', () => {
  test('has the sent values, the defaults for the rest, and its parts', async () => {
    const { as, body, charter, region } = await setUp()
    const created = await as(6).send(createSite, { body })
    expect(created).toMatchObject({
      name: 'Lodi',
      displayName: body.displayName,
      status: 'ACTIVE',
      category: 'Resource Center',
      finance_id: null,
      photo: null,
      charter: { _id: charter._id },
      region: { _id: region._id },
      address: {
        address_1: '1 Main St',
        address_2: null,
        city: 'Lodi',
        state: 'CA',
        zip: '95240',
        phone: '209-555-0142',
        fax: null,
        start_day: 'Monday',
        end_day: 'Friday',
        start_time: '9:00AM',
        end_time: '5:00PM',
        description: null,
        closures: null,
      },
      enrollment_info: { registrationEmail: ['a@lodi.example'], interestEmail: ['b@lodi.example'] },
      facility_info: { lease_end_open: false },
      version: 1,
    })
    expect(created.slug).toBe(body.displayName?.toLowerCase().replace(' ', '-'))
    expect(await as(10).send(readSite, { params: { slug: created.slug } })).toEqual(created)
    expect((await as(10).send(listSiteSummaries)).map(({ _id }) => _id)).toContain(created._id)
  })

  test('accepts email lists as one text with spaces, commas and semicolons, and names the invalid entry', async () => {
    const { as, body, errorsOf } = await setUp()
    const enrollment_info = { registrationEmail: ' a@x.example, b@x.example;c@x.example\n', interestEmail: 'd@x.example' }
    const created = await as(6).send(createSite, { body: { ...body, enrollment_info } })
    expect(created.enrollment_info.registrationEmail).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
    expect(await errorsOf({ ...body, enrollment_info: { registrationEmail: 'a@x.example nobody', interestEmail: '' } })).toEqual([
      'enrollment_info.interestEmail: This field is required',
      'enrollment_info.registrationEmail.1: Please provide a valid email address',
    ])
  })

  test('is refused if required fields are missing, naming each', async () => {
    const { errorsOf } = await setUp()
    expect(await errorsOf({ displayName: ' ', address: { zip: '' }, enrollment_info: {} })).toEqual([
      'address.address_1: This field is required',
      'address.city: This field is required',
      'address.phone: This field is required',
      'address.zip: This field is required',
      'charter: This field is required',
      'displayName: This field is required',
      'enrollment_info.interestEmail: This field is required',
      'enrollment_info.registrationEmail: This field is required',
      'name: This field is required',
      'region: This field is required',
    ])
  })

  test('is refused if a value breaks a limit or a pattern', async () => {
    const { body, errorsOf } = await setUp()
    const wrong = {
      ...body,
      name: 'n'.repeat(51),
      displayName: 'd'.repeat(61),
      category: 'Castle',
      finance_id: '12a',
      status: 'OPEN',
      planet: 'Mars',
      address: {
        address_1: '1 Main St',
        city: 'c'.repeat(51),
        state: 'NV',
        zip: '9524',
        phone: '209 555 014',
        fax: '2095550142000000',
        start_day: 'Moonday',
        start_time: '6:00AM',
        end_time: '9:00PM',
      },
    }
    expect((await errorsOf(wrong)).map((line) => line.split(':')[0])).toEqual([
      'address.city',
      'address.end_time',
      'address.fax',
      'address.phone',
      'address.start_day',
      'address.start_time',
      'address.state',
      'address.zip',
      'category',
      'displayName',
      'finance_id',
      'name',
      'planet',
      'status',
    ])
  })

  test('needs an existing charter, region and picture', async () => {
    const { body, errorsOf } = await setUp()
    const unknownId = '00000000-0000-4000-8000-000000000000'
    expect(await errorsOf({ ...body, charter: unknownId, region: 'california', photo: 'f'.repeat(64) })).toEqual([
      'charter: This charter does not exist',
      'photo: This picture does not exist',
      'region: This region does not exist',
    ])
  })

  test('does not close before it opens', async () => {
    const { body, errorsOf } = await setUp()
    expect(await errorsOf({ ...body, address: { ...body.address, start_time: '1:30PM', end_time: '1:30PM' } })).toEqual([
      'address.end_time: End time must be later than start time',
    ])
  })

  test('gets a unique slug, also with five concurrent requests', async () => {
    const { as, body } = await setUp()
    const me = as(6)
    const created = await Promise.all(Array.from({ length: 5 }, () => me.send(createSite, { body })))
    expect(new Set(created.map(({ slug }) => slug)).size).toBe(5)
  })

  test('is created at level 6, not at level 7, and a refused request leaves nothing behind', async () => {
    const { as, body, context } = await setUp()
    expect((await as(7).trySend(createSite, { body })).statusCode).toBe(403)
    await as(6).trySend(createSite, { body: { ...body, photo: 'f'.repeat(64) } })
    const left = await context.db.selectFrom('site').select('_id').where('displayName', '=', body.displayName).execute()
    expect(left).toEqual([])
  })
})

describe('an edit of a site', () => {
  test('changes the sent fields and clears optional ones', async () => {
    const { as, body } = await setUp()
    const created = await as(6).send(createSite, {
      body: { ...body, finance_id: '00412', address: { ...body.address, description: 'Old' } },
    })
    const saved = await as(6).send(updateSite, {
      params: { id: created.slug },
      body: { status: 'CLOSED - PERMANENTLY', finance_id: '', name: null, address: { description: '', fax: '2095550199' } },
    })
    expect(saved).toMatchObject({ status: 'CLOSED - PERMANENTLY', finance_id: null, name: null, slug: created.slug })
    expect(saved.address).toEqual({ ...created.address, description: null, fax: '2095550199' })
    expect(saved.version).toBe(created.version + 1)
    expect(saved.updatedBy).not.toBeNull()
  })

  test('has every field written, read back, cleared if it may be empty, and read again', async () => {
    const { as, make, context, site } = await network()
    const other = await make.charter()
    const ohio = await make.region('Ohio')
    const photo = 'e'.repeat(64)
    await context.db
      .insertInto('picture')
      .values({ _id: photo, type: 'image/png', width: 1, height: 1, bytes: Buffer.from('x') })
      .execute()
    const own = { name: 'New name', displayName: 'New é name', status: 'PENDING', category: 'Online', finance_id: '0099' } as const
    const address = {
      address_1: '2 “Main” St',
      address_2: 'Suite é',
      city: 'Dayton',
      state: 'OH',
      zip: '45402',
      phone: '937-555-0142',
      fax: '9375550143',
      start_day: 'Tuesday',
      end_day: 'Saturday',
      start_time: '7:30AM',
      end_time: '6:30PM',
      description: 'Two\nlines',
      closures: 'None',
    } as const
    expect(Object.keys({ ...own, charter: 1, region: 1, photo: 1 }).toSorted()).toEqual(SiteInput.keyof().options.toSorted())
    expect(Object.keys(address).toSorted()).toEqual(AddressInput.keyof().options.toSorted())
    await as(6).send(updateSite, { params: { id: site._id }, body: { ...own, charter: other._id, region: ohio._id, photo, address } })
    const read = () => as(10).send(readSite, { params: { slug: site._id } })
    expect(await read()).toMatchObject({
      ...own,
      charter: { _id: other._id },
      region: { _id: ohio._id },
      photo: `/api/pictures/${photo}`,
      address,
    })
    const empty = { name: '', finance_id: '', photo: '', address: { address_2: '', fax: '', description: '', closures: '' } }
    await as(6).send(updateSite, { params: { id: site._id }, body: empty })
    expect(await read()).toMatchObject({
      ...own,
      name: null,
      finance_id: null,
      photo: null,
      address: { ...address, address_2: null, fax: null, description: null, closures: null },
    })
  })

  test('does not clear required fields', async () => {
    const { as, make } = await network()
    const site = await make.site({ category: 'Online', zip: '95240', start_time: '9:00AM' })
    const response = await as(6).trySend(updateSite, {
      params: { id: site._id },
      body: { displayName: '', charter: null, category: '', address: { zip: null, start_time: '' } } as never,
    })
    expect(response.statusCode).toBe(422)
    expect(
      (response.json().errors as { path: string; message: string }[]).map(({ path, message }) => `${path}: ${message}`).toSorted(),
    ).toEqual([
      'address.start_time: This field is required',
      'address.zip: This field is required',
      'category: This field is required',
      'charter: This field is required',
      'displayName: This field is required',
    ])
  })

  test('reads phones, fax numbers, times and weekdays in the forms in which people write them', async () => {
    const { as, make } = await network()
    const { _id } = await make.site()
    const address = {
      phone: '(209) 555-0142',
      fax: '+1 209.555.0143',
      start_day: 'tues.',
      end_day: 'Thu',
      start_time: '8:30 AM',
      end_time: '16:30',
    }
    expect((await as(6).send(updateSite, { params: { id: _id }, body: { address } })).address).toMatchObject({
      phone: '209-555-0142',
      fax: '2095550143',
      start_day: 'Tuesday',
      end_day: 'Thursday',
      start_time: '8:30AM',
      end_time: '4:30PM',
    })
    const refused = await as(6).trySend(updateSite, {
      params: { id: _id },
      body: { address: { phone: '209-555-014', fax: '209-555-0142 x12', end_day: 'T', end_time: '8:30' } },
    })
    expect(Object.fromEntries(refused.json().errors.map(({ path, message }: Record<string, string>) => [path, message]))).toEqual({
      'address.phone': 'A phone number has 10 digits, such as 209-555-0142. Leave out an extension',
      'address.fax': 'A fax number has 10 digits, such as 209-555-0143',
      'address.end_day': 'Choose one from the list',
      'address.end_time': 'Choose one from the list',
    })
  })

  test('accepts a stored invalid value that is sent back, unchanged', async () => {
    const { as, make } = await network()
    const site = await make.site({
      category: 'Castle',
      state: 'NV',
      zip: '89101-12',
      phone: '(702) 555-0100 x2',
      finance_id: 'F-77',
      start_time: 'noon',
    })
    const saved = await as(6).send(updateSite, {
      params: { id: site._id },
      body: {
        category: 'Castle',
        finance_id: 'F-77',
        address: { state: 'NV', zip: '89101-12', phone: '(702) 555-0100 x2', start_time: 'noon', city: 'Reno' },
      } as never,
    })
    expect(saved).toMatchObject({
      category: 'Castle',
      finance_id: 'F-77',
      address: { zip: '89101-12', phone: '(702) 555-0100 x2', city: 'Reno' },
    })
    expect((await as(6).trySend(updateSite, { params: { id: site._id }, body: { category: 'Tower' } as never })).statusCode).toBe(422)
  })

  test('checks the hours against the stored ones', async () => {
    const { as, body } = await setUp()
    const created = await as(6).send(createSite, { body: { ...body, address: { ...body.address, start_time: '1:00PM' } } })
    const params = { id: created._id }
    expect((await as(6).trySend(updateSite, { params, body: { address: { end_time: '12:30PM' } } })).statusCode).toBe(422)
    await as(6).send(updateSite, { params, body: { address: { end_time: '12:30PM', start_time: '9:00AM' } } })
  })

  test('changes nothing if it is stale; without If-Match it is accepted and recorded without one', async () => {
    const { as, site, context } = await network()
    const { version } = await as(6).send(readSite, { params: { slug: site._id } })
    const params = { id: site._id }
    await as(6).send(updateSite, { params, body: { address: { city: 'Galt' } }, headers: { 'if-match': `"${version}"` } })
    const late = await as(6).trySend(updateSite, { params, body: { address: { city: 'Acampo' } }, headers: { 'if-match': `"${version}"` } })
    expect(late.statusCode).toBe(412)
    expect(late.json().title).toBe('Someone else changed this after you opened it')
    expect((await as(6).send(updateSite, { params, body: { finance_id: '7' } })).address.city).toBe('Galt')
    const changes = await context.db
      .selectFrom('change')
      .select(['basedOn', 'actorName'])
      .where('table', '=', 'site')
      .where('record', '=', site._id)
      .orderBy('_id')
      .execute()
    expect(changes.map(({ basedOn }) => basedOn)).toEqual([null, version, null])
  })

  test('succeeds for one of twenty concurrent requests with the same version', async () => {
    const { as, site } = await network()
    const { version } = await as(6).send(readSite, { params: { slug: site._id } })
    const me = as(6)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        me.trySend(updateSite, {
          params: { id: site._id },
          body: { address: { city: `City ${at}` } },
          headers: { 'if-match': `"${version}"` },
        }),
      ),
    )
    expect(statuses.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter(({ statusCode }) => statusCode === 412)).toHaveLength(19)
  })
})
