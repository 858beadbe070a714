import { type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { FAX_PATTERN, formatPhone, INVALID_FAX, INVALID_PHONE, PHONE_PATTERN, toFaxDigits } from '../../contract/phones.ts'
import { STATUSES } from '../../contract/status.ts'
import {
  choice,
  choiceOfTime,
  optionalPattern,
  optionalId,
  optionalLine,
  optionalMultiline,
  requiredPattern,
  requiredId,
  requiredLine,
} from '../../contract/text-schemas.ts'
import { ENROLLMENT_FIELDS } from '../enrollment/fields.ts'

/** The facility types to choose from; an imported site may have another or none. */
export const FACILITY_TYPES = ['Resource Center', 'Distribution Center', 'Online', 'Administrative Office', 'Partnership'] as const

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const START_TIMES = ['7:00AM', '7:30AM', '8:00AM', '8:30AM', '9:00AM', '9:30AM', '10:00AM', '10:30AM', '11:00AM', '11:30AM', '12:00PM', '12:30PM', '1:00PM', '1:30PM'] as const // prettier-ignore
const END_TIMES = ['11:00AM', '11:30AM', '12:00PM', '12:30PM', '1:00PM', '1:30PM', '2:00PM', '2:30PM', '3:00PM', '3:30PM', '4:00PM', '4:30PM', '5:00PM', '5:30PM', '6:00PM', '6:30PM', '7:00PM'] as const // prettier-ignore
/** The states of the network, and the choices for a site. */
export const STATES = ['CA', 'MI', 'OH', 'SC', 'TX'] as const

const MAX_SITE_NAME_LENGTH = 50
const MAX_DISPLAY_NAME_LENGTH = 60
const MAX_CITY_LENGTH = 50
const MAX_FINANCE_ID_LENGTH = 20

/** The fields of a site itself. `charter` and `region` are ids of records, `photo` the id of a picture. */
export const SITE_FIELDS = {
  displayName: {
    label: 'Display name',
    section: 'Site',
    control: 'text',
    input: requiredLine(MAX_DISPLAY_NAME_LENGTH),
    hint: 'The name people use. At most 60 characters',
  },
  name: {
    label: 'Site name',
    section: 'Site',
    control: 'text',
    input: optionalLine(MAX_SITE_NAME_LENGTH),
    newInput: requiredLine(MAX_SITE_NAME_LENGTH),
    hint: 'The formal name. At most 50 characters',
  },
  status: { label: 'Status', section: 'Site', control: 'status', input: choice(STATUSES), initial: STATUSES[0] },
  category: {
    label: 'Facility type',
    synonyms: ['category', 'kind of site'],
    section: 'Site',
    control: 'choice',
    choices: FACILITY_TYPES,
    input: choice(FACILITY_TYPES),
    initial: FACILITY_TYPES[0],
  },
  region: { label: 'Region', section: 'Site', control: 'custom', cell: 'region', input: requiredId(), hint: 'Also sets the state' },
  charter: { label: 'Charter', section: 'Site', control: 'custom', cell: 'charter', input: requiredId() },
  finance_id: {
    label: 'Finance number',
    synonyms: ['finance no.', 'finance ID'],
    section: 'Site',
    control: 'digits',
    input: optionalPattern(new RegExp(`^\\d{1,${MAX_FINANCE_ID_LENGTH}}$`), `Digits only, at most ${MAX_FINANCE_ID_LENGTH}`),
    initial: null,
    hint: 'Digits only',
  },
  photo: { label: 'Photo', section: 'Photo', control: 'picture', input: optionalId(), initial: null },
} as const satisfies FieldDefinitions

/** The address, contact and hours of a site. Times are local times in the format of the choices. */
export const ADDRESS_FIELDS = {
  address_1: { label: 'Address line 1', synonyms: ['street'], section: 'Address', control: 'text', input: requiredLine(), span: 4 },
  address_2: { label: 'Address line 2', section: 'Address', control: 'text', input: optionalLine(), initial: null, span: 2 },
  city: { label: 'City', section: 'Address', control: 'text', input: requiredLine(MAX_CITY_LENGTH), span: 3 },
  state: { label: 'State', section: 'Address', control: 'choice', choices: STATES, input: choice(STATES), initial: 'CA', span: 1 },
  zip: {
    label: 'ZIP code',
    synonyms: ['postal code'],
    section: 'Address',
    control: 'digits',
    input: requiredPattern(/^\d{5}$/, 'Enter exactly five digits'),
    span: 2,
  },
  phone: {
    label: 'Phone',
    section: 'Contact',
    control: 'phone',
    input: requiredPattern(PHONE_PATTERN, INVALID_PHONE, undefined, formatPhone),
  },
  fax: {
    label: 'Fax',
    section: 'Contact',
    control: 'fax',
    input: optionalPattern(FAX_PATTERN, INVALID_FAX, toFaxDigits),
    initial: null,
  },
  start_day: {
    label: 'Start day',
    synonyms: ['opening days', 'first day'],
    together: 'Hours',
    section: 'Hours',
    control: 'choice',
    choices: DAYS,
    input: choiceOfTime(DAYS),
    initial: 'Monday',
  },
  end_day: {
    label: 'End day',
    synonyms: ['opening days', 'last day'],
    together: 'Hours',
    section: 'Hours',
    control: 'choice',
    choices: DAYS,
    input: choiceOfTime(DAYS),
    initial: 'Friday',
  },
  start_time: {
    label: 'Start time',
    synonyms: ['opening time', 'opens'],
    together: 'Hours',
    section: 'Hours',
    control: 'choice',
    choices: START_TIMES,
    input: choiceOfTime(START_TIMES),
    initial: '9:00AM',
  },
  end_time: {
    label: 'End time',
    synonyms: ['closing time', 'closes'],
    together: 'Hours',
    section: 'Hours',
    control: 'choice',
    choices: END_TIMES,
    input: choiceOfTime(END_TIMES),
    initial: '5:00PM',
  },
  description: { label: 'Description', section: 'About', control: 'multiline', input: optionalMultiline(), initial: null },
  closures: {
    label: 'Closures',
    synonyms: ['holidays', 'closed days'],
    section: 'About',
    control: 'multiline',
    input: optionalMultiline(),
    initial: null,
    hint: 'Days the site is closed',
  },
} as const satisfies FieldDefinitions

/** The fields of a new site's enrollment record. */
export const NEW_SITE_EMAIL_FIELDS = {
  registrationEmail: { ...ENROLLMENT_FIELDS.registrationEmail, section: 'Contact' },
  interestEmail: { ...ENROLLMENT_FIELDS.interestEmail, section: 'Contact' },
} as const satisfies FieldDefinitions

/** The label of each field of a site, for its page, its history and exports. */
export const siteLabels = {
  ...getLabels(SITE_FIELDS),
  ...getLabels(ADDRESS_FIELDS),
  slug: 'Slug',
  latitude: 'Latitude',
  longitude: 'Longitude',
  directory_id: 'Directory ID',
}
