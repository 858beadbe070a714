import { buildFormFields, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { PersonWithSites } from '../contract.ts'
import { PERSON_FIELDS } from '../fields.ts'

export const personFields = buildFormFields(PERSON_FIELDS, {})

export const PERSON_SECTIONS = [
  buildSection(PERSON_FIELDS, 'Contact', 'Phone, email and fax'),
  buildSection(PERSON_FIELDS, 'Name and HR Number', 'To change roles, go to the Staff page of the site'),
]

export const toPersonValues = (person: PersonWithSites) => toDefinedValues(PERSON_FIELDS, person)
