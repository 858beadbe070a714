import { useMemo } from 'react'

import { getPictureId } from '../../../../platform/contract/fields.ts'
import type { FormSection } from '../../../../platform/web/form/EditForm.tsx'
import { buildEmailsField } from '../../../../platform/web/form/emails-field.ts'
import { choicesOf, ONLY_DIGITS, STATUS_CHOICES } from '../../../../platform/web/form/fields.ts'
import type { Across, Choice, FormField } from '../../../../platform/web/form/fields.ts'
import { phoneField } from '../../../../platform/web/form/phone-fields.ts'
import { valuesOf } from '../../../../platform/web/form/values.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { pictureField } from '../../../record-tools/pictures/web/PicturePicker.tsx'
import { getRegionState } from '../../regions/rules.ts'
import { DAYS, END_TIMES, FACILITY_TYPES, START_TIMES, STATES, AddressInput, SiteInput } from '../contract.ts'
import type { NewSite, Site } from '../contract.ts'
import { validateHours } from '../rules.ts'

type OwnPath = keyof typeof SiteInput.shape
type AddressPath = `address.${keyof typeof AddressInput.shape}`
export type SitePath = OwnPath | AddressPath
export type NewSitePath = SitePath | `enrollment_info.${keyof NewSite['enrollment_info']}`

/** Every field of a site's form, once; one that is missing here does not compile. */
const buildFields = (charters: readonly Choice[], regions: readonly Choice[]): Record<NewSitePath, FormField> => ({
  displayName: { kind: 'line', label: 'Display name', hint: 'The name people use. At most 60 characters' },
  name: { kind: 'line', label: 'Site name', hint: 'The formal name. At most 50 characters' },
  status: { kind: 'choice', label: 'Status', choices: STATUS_CHOICES },
  category: { kind: 'choice', label: 'Facility type', choices: choicesOf(FACILITY_TYPES) },
  charter: { kind: 'search', label: 'Charter', choices: charters },
  region: { kind: 'choice', label: 'Region', choices: regions, hint: 'Also sets the state' },
  finance_id: { kind: 'line', label: 'Finance number', keyboard: 'numeric', strip: ONLY_DIGITS, hint: 'Digits only' },
  'address.address_1': { kind: 'line', label: 'Address line 1', span: 4 },
  'address.address_2': { kind: 'line', label: 'Address line 2', span: 2 },
  'address.city': { kind: 'line', label: 'City', span: 3 },
  'address.state': { kind: 'choice', label: 'State', span: 1, choices: choicesOf(STATES) },
  'address.zip': { kind: 'line', label: 'Zip', span: 2, keyboard: 'numeric', strip: ONLY_DIGITS },
  'address.phone': phoneField('Phone'),
  'address.fax': { kind: 'line', label: 'Fax', keyboard: 'numeric', strip: ONLY_DIGITS, hint: 'Digits only' },
  'enrollment_info.registrationEmail': buildEmailsField('Registration email'),
  'enrollment_info.interestEmail': buildEmailsField('Interest email'),
  'address.start_day': { kind: 'choice', label: 'Start day', choices: choicesOf(DAYS) },
  'address.end_day': { kind: 'choice', label: 'End day', choices: choicesOf(DAYS) },
  'address.start_time': { kind: 'choice', label: 'Start time', choices: choicesOf(START_TIMES) },
  'address.end_time': { kind: 'choice', label: 'End time', choices: choicesOf(END_TIMES) },
  'address.description': { kind: 'lines', label: 'Description', span: 6 },
  'address.closures': { kind: 'lines', label: 'Closures', span: 6, hint: 'Days the site is closed' },
  photo: pictureField('Photo'),
})

/** The form's parts: what is called most comes first. */
const buildSection = (title: string, about: string, fields: readonly NewSitePath[]): FormSection => ({ title, about, fields })
const SITE_SECTION = buildSection('Site', 'Name, charter and region', [
  'displayName',
  'name',
  'status',
  'category',
  'region',
  'charter',
  'finance_id',
])
const ADDRESS_SECTION = buildSection('Address', 'Shown on the site page and used for the map link', [
  'address.address_1',
  'address.address_2',
  'address.city',
  'address.state',
  'address.zip',
])
const buildContactSection = (others: readonly NewSitePath[] = []) =>
  buildSection('Contact', 'Phone, fax and enrollment emails', ['address.phone', 'address.fax', ...others])
const HOURS_SECTION = buildSection('Hours', 'When the site is open', [
  'address.start_day',
  'address.end_day',
  'address.start_time',
  'address.end_time',
])
const ABOUT_SECTION = buildSection('About', 'What visitors should know', ['address.description', 'address.closures'])
const PHOTO_SECTION = buildSection('Photo', 'Shown on the site’s card and page', ['photo'])

export const SITE_SECTIONS = [ADDRESS_SECTION, buildContactSection(), HOURS_SECTION, SITE_SECTION, ABOUT_SECTION, PHOTO_SECTION]
export const NEW_SITE_SECTIONS = [
  SITE_SECTION,
  ADDRESS_SECTION,
  buildContactSection(['enrollment_info.registrationEmail', 'enrollment_info.interestEmail']),
  HOURS_SECTION,
  ABOUT_SECTION,
  PHOTO_SECTION,
]

const OWN = SiteInput.keyof().options
const ADDRESS = AddressInput.keyof().options
const PATHS: readonly SitePath[] = [...OWN, ...ADDRESS.map((field): AddressPath => `address.${field}`)]

/** A site as its form has it. */
export const toSiteValues = (site: Site): Values => {
  const own: Record<OwnPath, FieldValue> = {
    ...site,
    charter: site.charter?._id ?? '',
    region: site.region?._id ?? '',
    photo: getPictureId(site.photo),
  }
  return valuesOf(PATHS, (path) => {
    const [first, second] = path.split('.') as [OwnPath, keyof typeof AddressInput.shape | undefined]
    return second === undefined ? own[first] : site.address[second]
  })
}

const toText = (value: FieldValue | undefined): string | null => (typeof value === 'string' ? value : null)

/** The hours are judged where one of them is sent. */
export const validateSiteHours: Across = (values, sent) =>
  sent.includes('address.start_time') || sent.includes('address.end_time')
    ? validateHours(toText(values['address.start_time']), toText(values['address.end_time']))
    : []

type Named = { readonly _id: string; readonly name: string }
const compareLabels = (a: Choice, b: Choice): number => a.label.localeCompare(b.label)

/** The fields of a site's form with the charters and regions there are, and what a chosen region sets along. */
export const useSiteFields = (charters: readonly Named[], regions: readonly Named[]) =>
  useMemo(() => {
    const choices = (records: readonly Named[]) => records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted(compareLabels)
    const along = (path: string, value: FieldValue): Values => {
      const name = path === 'region' ? regions.find(({ _id }) => _id === value)?.name : undefined
      return name === undefined ? {} : { 'address.state': getRegionState(name) }
    }
    return { all: buildFields(choices(charters), choices(regions)), along }
  }, [charters, regions])
