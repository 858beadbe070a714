import { field } from './import-fields.ts'

/** The place of a school or site. */
export const PLACE = {
  address: field(
    'Whole address',
    'address',
    [],
    ['address', 'full address', 'mailing address', 'street address', 'location address', 'physical address'],
  ),
  address_1: field(
    'Address line 1',
    'street',
    ['site.address_1'],
    [
      'STREET',
      'StreetAbr',
      'address',
      'address 1',
      'street address',
      'mailing address',
      'physical address',
      'location address',
      'street abr',
      'addr',
      'mstreet1',
      'lstreet1',
    ],
  ),
  address_2: field('Address line 2', 'text', ['site.address_2'], ['address 2', 'suite', 'unit', 'street 2', 'mstreet2', 'lstreet2']),
  city: field('City', 'text', ['site.city'], ['town', 'municipality', 'mcity', 'lcity', 'location city', 'mailing city']),
  state: field('State', 'state', ['site.state'], ['st', 'st.', 'mstate', 'lstate', 'state abbr', 'location state']),
  zip: field('ZIP code', 'zip', ['site.zip'], ['zip code', 'zipcode', 'postal code', 'postal', 'mzip', 'lzip', 'location zip']),
  place: field('City, state and ZIP code', 'place', [], ['city state zip', 'city/state/zip', 'city, st zip', 'city st', 'city state']),
  extension: field('Extension', 'extension', [], ['ext', 'extension', 'ext.', 'phone ext', 'phone extension']),
  county: field('County', 'text', ['facility.county'], ['county name', 'cnty']),
  latitude: field('Latitude', 'degrees', ['site.latitude'], ['lat', 'y coordinate']),
  longitude: field('Longitude', 'degrees', ['site.longitude'], ['lon', 'long', 'lng', 'x coordinate']),
} as const

export const PHONE_HEADERS = [
  'telephone',
  'tel',
  'phone number',
  'phone no',
  'phone #',
  'main phone',
  'office phone',
  'school phone',
  'site phone',
  'contact number',
  'phone(s)',
  'phones',
  'contact phone',
  'main number',
]
export const FAX_HEADERS = ['FaxNumber', 'fax number', 'fax no', 'fax #', 'facsimile']
export const STATUS_HEADERS = [
  'STATUS',
  'StatusType',
  'school status',
  'operational status',
  'current status',
  'sy status',
  'sy_status_text',
  'open/closed',
  'site status',
  'active status',
  'charter status',
]
