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
  'phone 1',
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

const LEADERS = [
  'principal',
  'leader',
  'administrator',
  'director',
  'head of school',
  'school leader',
  'site leader',
  'site administrator',
  'adm',
]
const nameLeaders = (...words: readonly string[]): string[] => LEADERS.flatMap((leader) => words.map((word) => `${leader} ${word}`))
/** The principal of a school or site, who becomes a person with this role there. */
export const PRINCIPAL = {
  principal: field('Principal', 'person', [], [...LEADERS, ...nameLeaders('name', 'full name'), 'name of principal'], { isNamed: true }),
  principal_first: field(
    'Principal’s first name',
    'text',
    [],
    [...nameLeaders('first name', 'first', 'fname', 'fname1'), 'admfname', 'admfname1'],
    {
      isNamed: true,
    },
  ),
  principal_last: field(
    'Principal’s last name',
    'text',
    [],
    [...nameLeaders('last name', 'last', 'lname', 'lname1'), 'admlname', 'admlname1'],
    {
      isNamed: true,
    },
  ),
  principal_email: field(
    'Principal’s email',
    'email',
    ['person.email'],
    [...nameLeaders('email', 'e-mail', 'email address', 'email1'), 'admemail', 'admemail1', 'email', 'e-mail', 'email address'],
    { isNamed: true },
  ),
  principal_phone: field(
    'Principal’s phone',
    'phone',
    ['person.phone'],
    nameLeaders('phone', 'telephone', 'cell', 'mobile', 'phone number'),
    {
      isNamed: true,
    },
  ),
} as const
