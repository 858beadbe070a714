import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { readSite, listSites } from '../sites/contract.ts'
import { addService, removeService, replaceService, DUPLICATE_PROGRAM, updateEnrollment } from './contract.ts'
import { ORIENTATION_TIMES, UNKNOWN_PROGRAM } from './fields.ts'

const setUp = async () => {
  const app = await network()
  const params = { id: app.site.slug }
  const save = (body: object, headers: Record<string, string> = {}) => app.as(6).send(updateEnrollment, { params, body, headers })
  const errorsOf = async (body: object): Promise<string[]> => {
    const response = await app.as(6).trySend(updateEnrollment, { params, body })
    expect(response.statusCode, response.body).toBe(422)
    return (response.json().errors as { path: string; message: string }[]).map(({ path, message }) => `${path}: ${message}`).toSorted()
  }
  return { ...app, params, save, errorsOf }
}

test('orientation times are half hours from 06:00AM to 10:30PM', () => {
  expect(ORIENTATION_TIMES).toHaveLength(34)
  expect([ORIENTATION_TIMES[0], ORIENTATION_TIMES[1], ORIENTATION_TIMES[12], ORIENTATION_TIMES[13], ORIENTATION_TIMES.at(-1)]).toEqual([
    '06:00AM',
    '06:30AM',
    '12:00PM',
    '12:30PM',
    '10:30PM',
  ])
})

describe('an enrollment record', () => {
  test('accepts every field of the request, sorts lists and keeps fields that are not sent', async () => {
    const { as, save, make, site } = await setUp()
    const [first, second] = [await make.programType(), await make.programType()]
    const saved = await save({
      about: 'About',
      moreAbout: 'More',
      programTypes: [{ id: second._id, name: 'whatever' }, { _id: first._id }],
      registrationEmail: ['a@b.example'],
      interestEmail: 'c@d.example e@f.example',
      primaryEmailstatus: 'Yes',
      addtionalEmailstatus: 'Yes',
      orientationLink: 'https://meet.example/1',
      individualDates: [
        { date: '2027-02-01', start_time: '10:00AM', end_time: '11:00AM' },
        { date: '2027-01-05', start_time: '01:00PM', end_time: '02:00PM' },
        { date: '2027-01-05', start_time: '09:00AM', end_time: '09:30AM' },
        { date: '2027-01-05', start_time: '', end_time: '' },
      ],
      recurringDates: {
        Monday: { set: true, start_time: '09:00AM', end_time: '10:30AM' },
        Friday: { set: false, start_time: '09:00AM', end_time: '' },
      },
      blackoutDates: ['2027-12-25', '2027-01-01', '', '2027-12-25'],
    })
    expect(saved).toMatchObject({
      about: 'About',
      moreAbout: 'More',
      registrationEmail: ['a@b.example'],
      interestEmail: ['c@d.example', 'e@f.example'],
      primaryEmailstatus: 'Yes',
      addtionalEmailstatus: 'Yes',
      orientation: {
        virtual_orientation_link: 'https://meet.example/1',
        selected_dates: [
          { date: '2027-01-05', start_time: '09:00AM', end_time: '09:30AM' },
          { date: '2027-01-05', start_time: '01:00PM', end_time: '02:00PM' },
          { date: '2027-02-01', start_time: '10:00AM', end_time: '11:00AM' },
        ],
        recurring_dates: {
          Monday: { set: true, start_time: '09:00AM', end_time: '10:30AM' },
          Tuesday: { set: false, start_time: '', end_time: '' },
          Friday: { set: false, start_time: '', end_time: '' },
        },
        blackout_dates: ['2027-01-01', '2027-12-25'],
      },
    })
    expect(new Set(saved.programTypes.map(({ _id }) => _id))).toEqual(new Set([first._id, second._id]))
    expect((await as(10).send(readSite, { params: { slug: site._id } })).enrollment_info).toEqual(saved)
    const cleared = await save({
      about: '',
      moreAbout: null,
      orientationLink: '',
      individualDates: [],
      blackoutDates: [],
      programTypes: [],
    })
    expect(cleared).toMatchObject({
      about: null,
      moreAbout: null,
      programTypes: [],
      registrationEmail: ['a@b.example'],
      orientation: { virtual_orientation_link: null, selected_dates: [], blackout_dates: [], recurring_dates: { Monday: { set: true } } },
    })
    expect((await as(10).send(listSites)).find(({ _id }) => _id === site._id)?.enrollment_info).toEqual(cleared)
  })

  test('refuses a checked day without both times, an end at or before its start, and invalid times and dates', async () => {
    const { errorsOf } = await setUp()
    expect(
      await errorsOf({
        recurringDates: {
          Monday: { set: true, start_time: '09:00AM', end_time: '' },
          Tuesday: { set: true, start_time: '09:00AM', end_time: '09:00AM' },
          Wednesday: { set: true, start_time: 'noon', end_time: '02:00PM' },
        },
        individualDates: [
          { date: '2027-01-05', start_time: '01:00PM', end_time: '11:00AM' },
          { date: '2027-02-30', start_time: '01:00PM', end_time: '02:00PM' },
        ],
        blackoutDates: ['tomorrow'],
        registrationEmail: ['nobody'],
        interestEmail: [' '],
        primaryEmailstatus: 'Maybe',
        planet: 'Mars',
      }),
    ).toEqual([
      'blackoutDates.0: Enter a date as MM/DD/YYYY, such as 11/20/2026',
      'individualDates.0.end_time: End time must be later than start time',
      'individualDates.1.date: Enter a date as MM/DD/YYYY, such as 11/20/2026',
      'interestEmail: This field is required',
      'planet: Unknown field',
      expect.stringMatching(/^primaryEmailstatus: /),
      'recurringDates.Monday: Enter a start time and an end time',
      'recurringDates.Tuesday.end_time: End time must be later than start time',
      'recurringDates.Wednesday.start_time: Choose one from the list',
      'registrationEmail.0: Please provide a valid email address',
    ])
    expect(await errorsOf({ recurringDates: { Sunday: { set: false } } })).toHaveLength(1)
  })

  test('accepts imported invalid addresses that are sent back unchanged', async () => {
    const { save, make, site, errorsOf } = await setUp()
    await make.enrollment(site._id, { registrationEmail: ['front desk'], interestEmail: [] })
    const saved = await save({ about: 'New', registrationEmail: ['front desk'], interestEmail: [] })
    expect(saved).toMatchObject({ about: 'New', registrationEmail: ['front desk'], interestEmail: [] })
    expect(await errorsOf({ registrationEmail: ['front desk', 'back desk'] })).not.toEqual([])
  })

  test('is stale after someone else saves it or changes its programs', async () => {
    const { as, save, make, params, site } = await setUp()
    const { enrollment_info: seen } = await as(6).send(readSite, { params: { slug: site._id } })
    const program = await make.programType()
    const added = await as(6).send(addService, { params, body: { _id: program._id } })
    expect(added.version).toBe(seen.version + 1)
    const late = await as(6).trySend(updateEnrollment, { params, body: { about: 'x' }, headers: { 'if-match': `"${seen.version}"` } })
    expect(late.statusCode).toBe(412)
    await save({ about: 'x' }, { 'if-match': `"${added.version}"` })
  })
})

describe('program types of a site', () => {
  test('are added, replaced and removed; each response is the whole record', async () => {
    const { as, make, params } = await setUp()
    const [first, second] = [await make.programType(), await make.programType()]
    const names = ({ programTypes }: { programTypes: { _id: string }[] }) => programTypes.map(({ _id }) => _id)
    expect(names(await as(6).send(addService, { params, body: { id: first._id, name: first.name } }))).toEqual([first._id])
    expect(names(await as(6).send(replaceService, { params, body: { _id: first._id, to: second._id } }))).toEqual([second._id])
    expect(names(await as(6).send(removeService, { params: { ...params, serviceId: second._id } }))).toEqual([])
  })

  test('are from the list, each once, and removed only if the site has them', async () => {
    const { as, make, params } = await setUp()
    const program = await make.programType()
    await as(6).send(addService, { params, body: { _id: program._id } })
    const save = async (body: object) => {
      const response = await as(6).trySend(addService, { params, body })
      return [response.statusCode, response.json().errors?.[0]?.message]
    }
    expect(await save({ _id: program._id })).toEqual([409, DUPLICATE_PROGRAM])
    expect(await save({})).toEqual([422, UNKNOWN_PROGRAM])
    expect(await save({ _id: 'archery' })).toEqual([422, UNKNOWN_PROGRAM])
    const other = await make.site()
    expect((await as(6).trySend(removeService, { params: { id: other._id, serviceId: program._id } })).statusCode).toBe(404)
    const foreign = await as(6).trySend(replaceService, { params: { id: other._id }, body: { _id: program._id, to: program._id } })
    expect(foreign.statusCode).toBe(404)
    const replace = async (body: object) => {
      const response = await as(6).request('PUT', `/locations-api/site_enroll/${params.id}/service`, { payload: body })
      return [response.statusCode, response.json().errors]
    }
    expect(await replace({ _id: program._id })).toEqual([422, [{ path: 'to', message: UNKNOWN_PROGRAM }]])
    expect(await replace({ _id: program._id, to: program._id })).toEqual([409, [{ path: '_id', message: DUPLICATE_PROGRAM }]])
    expect((await as(10).send(readSite, { params: { slug: params.id } })).enrollment_info.programTypes).toHaveLength(1)
  })

  test('are added once by twenty concurrent requests', async () => {
    const { as, make, params } = await setUp()
    const program = await make.programType()
    const me = as(6)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await me.trySend(addService, { params, body: { _id: program._id } })).statusCode),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
  })
})
