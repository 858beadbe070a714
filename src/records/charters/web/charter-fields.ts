import type { FieldDefinitions } from '../../../contract/field-definitions.ts'
import { formatPhone, TEN_DIGITS_PATTERN } from '../../../contract/phones.ts'
import { toSlug } from '../../../contract/slugs.ts'
import { buildFormFields, buildInitialValues, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { CrossFieldRules, Choice } from '../../../platform/web/form/fields.ts'
import { pictureField } from '../../../platform/web/form/picture-field.tsx'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'
import type { Charter } from '../contract.ts'
import {
  CHARTER_FIELDS,
  DUPLICATE_NAME,
  INVALID_ABBREVIATION_CHARACTERS,
  INVALID_NAME_CHARACTERS,
  INVALID_CHARTER_PHONE_WHILE_TYPING,
} from '../fields.ts'
import { SchoolTypesInput, toSchoolTypes } from './SchoolTypesInput.tsx'

const STRIP_MESSAGE = 'Other characters were removed'
const STRIP_NAME = { disallowed: INVALID_NAME_CHARACTERS, message: STRIP_MESSAGE }

/** The fields of the form for a new charter. */
export const buildCharterFields = (brands: readonly Choice[]) =>
  buildFormFields(CHARTER_FIELDS, {
    name: (label) => ({ kind: 'line', label, filter: STRIP_NAME }),
    abbreviation: (label) => ({ kind: 'line', label, filter: { disallowed: INVALID_ABBREVIATION_CHARACTERS, message: STRIP_MESSAGE } }),
    slug: (label) => ({ kind: 'line', label, filter: STRIP_NAME }),
    brand: (label) => ({ kind: 'search', label, choices: brands }),
    charterContactnumber: (label) => ({
      kind: 'line',
      label,
      keyboard: 'tel',
      placeholder: 'xxx-xxx-xxxx',
      format: formatPhone,
      validateWhileTyping: (typed) =>
        typed === '' || TEN_DIGITS_PATTERN.test(formatPhone(typed)) ? null : INVALID_CHARTER_PHONE_WHILE_TYPING,
    }),
    schoolTypeUrls: (label) => ({
      kind: 'own',
      label,
      span: 6,
      isGroup: true,
      Input: SchoolTypesInput,
      toText: (value) =>
        toSchoolTypes(value)
          .map(({ name, url }) => `${name}: ${url}`)
          .join(', '),
    }),
    photo: (label) => pictureField(label, true),
  })

/** The slug of an existing charter is not edited. */
const { slug: _slug, ...EDIT_FIELDS } = CHARTER_FIELDS
const buildSections = <F extends FieldDefinitions>(fields: F) => [
  buildSection(fields, 'Charter', 'Name, brand and status'),
  buildSection(fields, 'Contact', 'Website and phone number for families'),
  buildSection(fields, 'Photo', 'Shown on the charter’s page'),
]
export const NEW_CHARTER_SECTIONS = buildSections(CHARTER_FIELDS)
export const CHARTER_SECTIONS = buildSections(EDIT_FIELDS)

/** The fields of the form for an existing charter. */
export const withoutSlug = ({ slug: _slug, ...fields }: ReturnType<typeof buildCharterFields>) => fields

export const newCharterValues = buildInitialValues(CHARTER_FIELDS)
export const toCharterValues = (charter: Charter) => toDefinedValues(EDIT_FIELDS, charter)

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
  (charters: readonly Pick<Charter, '_id' | 'name'>[], own: string | null): CrossFieldRules =>
  (values, sent) =>
    sent.includes('name') && charters.some(({ _id, name }) => _id !== own && normalizeName(name) === normalizeName(values['name']))
      ? [{ path: 'name', message: DUPLICATE_NAME }]
      : []
