import { getPictureId } from '../../../../platform/contract/fields.ts'
import { formatPhone } from '../../../../platform/contract/phones.ts'
import { toSlug } from '../../../../platform/contract/slugs.ts'
import { ONLY_DIGITS, STATUS_CHOICES } from '../../../../platform/web/form/fields.ts'
import type { Across, Choice, FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { pictureField } from '../../../record-tools/pictures/web/PicturePicker.tsx'
import type { Charter, CharterChange } from '../contract.ts'
import {
  CHARTER_PHONE_PATTERN,
  DUPLICATE_NAME,
  INVALID_NAME_CHARACTERS,
  INVALID_ABBREVIATION_CHARACTERS,
  INVALID_PHONE_WHILE_TYPING,
} from '../contract.ts'
import { charterLabels } from '../rules.ts'
import { SchoolTypesInput, toSchoolTypes } from './SchoolTypesInput.tsx'

type Path = keyof CharterChange

const STRIP_NAME = { not: INVALID_NAME_CHARACTERS, says: 'Other characters were removed' }

/** The fields of the form; a missing field does not compile. */
const buildFields = (brands: readonly Choice[]): Record<Path, FormField> => ({
  name: { kind: 'line', label: 'Charter name', strip: STRIP_NAME, hint: 'At most 60 letters, spaces, periods, hyphens and pipes' },
  abbreviation: {
    kind: 'line',
    label: charterLabels.abbreviation,
    strip: { not: INVALID_ABBREVIATION_CHARACTERS, says: 'Other characters were removed' },
    hint: 'At most 10 letters and spaces',
  },
  slug: {
    kind: 'line',
    label: charterLabels.slug,
    strip: STRIP_NAME,
    hint: 'Used in the page’s web address. It does not change if the charter is renamed.',
  },
  brand: { kind: 'search', label: charterLabels.brand, choices: brands },
  status: { kind: 'choice', label: charterLabels.status, choices: STATUS_CHOICES },
  studentCount: {
    kind: 'line',
    label: charterLabels.studentCount,
    keyboard: 'numeric',
    strip: ONLY_DIGITS,
  },
  charterWebsite: { kind: 'line', label: charterLabels.charterWebsite, keyboard: 'url', hint: 'At most 50 characters' },
  charterContactnumber: {
    kind: 'line',
    label: charterLabels.charterContactnumber,
    keyboard: 'tel',
    placeholder: 'xxx-xxx-xxxx',
    format: formatPhone,
    yet: (typed) => (typed === '' || CHARTER_PHONE_PATTERN.test(typed) ? null : INVALID_PHONE_WHILE_TYPING),
  },
  schoolTypeUrls: {
    kind: 'own',
    label: charterLabels.schoolTypeUrls,
    span: 6,
    isGroup: true,
    Input: SchoolTypesInput,
    say: (value) =>
      toSchoolTypes(value)
        .map(({ name, url }) => `${name}: ${url}`)
        .join(', '),
  },
  charter_number: { kind: 'line', label: charterLabels.charter_number },
  charter_grade_levels: { kind: 'line', label: charterLabels.charter_grade_levels, hint: 'For example TK-12' },
  photo: pictureField('Photo', true),
})

const buildSection = (title: string, about: string, fields: readonly Path[]) => ({ title, about, fields })
const buildSections = (own: readonly Path[]) => [
  buildSection('Charter', 'Name, brand and status', own),
  buildSection('Contact', 'Website and phone number for families', ['charterWebsite', 'charterContactnumber', 'schoolTypeUrls']),
  buildSection('Photo', 'Shown on the charter’s page', ['photo']),
]
export const NEW_CHARTER_SECTIONS = buildSections([
  'name',
  'abbreviation',
  'slug',
  'brand',
  'status',
  'studentCount',
  'charter_number',
  'charter_grade_levels',
])
export const CHARTER_SECTIONS = buildSections([
  'name',
  'abbreviation',
  'brand',
  'status',
  'studentCount',
  'charter_number',
  'charter_grade_levels',
])

/** The fields of the form. The slug of an existing charter is not edited. */
export const buildCharterFields = (brands: readonly Choice[], isNew: boolean): Readonly<Record<string, FormField>> => {
  const { slug, ...others } = buildFields(brands)
  return isNew ? { ...others, slug } : others
}

export const newCharterValues: Record<Path, FieldValue> = {
  name: '',
  abbreviation: '',
  slug: '',
  brand: '',
  status: 'ACTIVE',
  studentCount: '',
  charterWebsite: '',
  charterContactnumber: '',
  schoolTypeUrls: [],
  charter_number: '',
  charter_grade_levels: '',
  photo: null,
}
export const toCharterValues = (charter: Charter): Values => {
  const values: Omit<Record<Path, FieldValue>, 'slug'> = {
    name: charter.name,
    abbreviation: charter.abbreviation ?? '',
    brand: charter.brand,
    status: charter.status,
    studentCount: charter.studentCount === null ? '' : String(charter.studentCount),
    charterWebsite: charter.charterWebsite ?? '',
    charterContactnumber: charter.charterContactnumber ?? '',
    schoolTypeUrls: charter.schoolTypeUrls,
    charter_number: charter.charter_number ?? '',
    charter_grade_levels: charter.charter_grade_levels ?? '',
    photo: getPictureId(charter.photo),
  }
  return values
}

/** Suggests a slug from the name until the user types another. */
export const suggestSlug = (path: string, value: FieldValue, before: Values): Values => {
  if (path !== 'name' || typeof value !== 'string') return {}
  const own = before['slug']
  const suggested = typeof before['name'] === 'string' && before['name'] !== '' ? toSlug(before['name']) : ''
  return own === '' || own === suggested ? { slug: value === '' ? '' : toSlug(value) } : {}
}

const normalizeName = (name: FieldValue | undefined): string => (typeof name === 'string' ? name.trim().toLowerCase() : '')

/** Reports a name that another charter has before the form is sent; the server checks again under a lock. */
export const buildDuplicateNameRule =
  (charters: readonly Pick<Charter, '_id' | 'name'>[], own: string | null): Across =>
  (values, sent) =>
    sent.includes('name') && charters.some(({ _id, name }) => _id !== own && normalizeName(name) === normalizeName(values['name']))
      ? [{ path: 'name', message: DUPLICATE_NAME }]
      : []
