import { describe, expect, test } from 'vitest'

import { formatAddressLines, formatHourLines } from './address-text.ts'

const nothing = {
  address_1: null,
  address_2: null,
  city: null,
  state: null,
  zip: null,
  phone: null,
  fax: null,
  start_day: null,
  end_day: null,
  start_time: null,
  end_time: null,
  description: null,
  closures: null,
}

describe('the lines of an address', () => {
  test('are street and suite, then city, state and zip', () => {
    const address = { ...nothing, address_1: '1420 W Kettleman Lane', address_2: 'Suite B', city: 'Lodi', state: 'CA', zip: '95242' }
    expect(formatAddressLines(address)).toEqual(['1420 W Kettleman Lane, Suite B', 'Lodi, CA 95242'])
  })
  test('leave out empty parts with their commas', () => {
    expect(formatAddressLines({ ...nothing, city: 'Lodi' })).toEqual(['Lodi'])
    expect(formatAddressLines({ ...nothing, address_2: 'Suite B', state: 'CA' })).toEqual(['Suite B', 'CA'])
    expect(formatAddressLines(nothing)).toEqual([])
  })
})

describe('the lines of the hours', () => {
  test('are days, then times', () => {
    const hours = { ...nothing, start_day: 'Monday', end_day: 'Friday', start_time: '9:00AM', end_time: '5:00PM' }
    expect(formatHourLines(hours)).toEqual(['Monday to Friday', '9:00AM to 5:00PM'])
  })
  test('show a single day once, and nothing if the hours are empty', () => {
    expect(formatHourLines({ ...nothing, start_day: 'Monday', end_day: 'Monday' })).toEqual(['Monday'])
    expect(formatHourLines({ ...nothing, end_time: '5:00PM' })).toEqual(['5:00PM'])
    expect(formatHourLines(nothing)).toEqual([])
  })
})
