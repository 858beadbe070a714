import { type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { EXTENSION_PATTERN, formatPhone, INVALID_EXTENSION, INVALID_PHONE, PHONE_PATTERN } from '../../contract/phones.ts'
import { optionalEmail, optionalLine, optionalPattern, requiredEmail, requiredLine } from '../../contract/text-schemas.ts'

export const MAX_PERSON_NAME_LENGTH = 100

/** The editable fields of a person. A fax number has the format of a phone number, because directories have both with hyphens. */
export const PERSON_FIELDS = {
  name: {
    label: 'Name',
    section: 'Name and HR Number',
    control: 'text',
    input: requiredLine(MAX_PERSON_NAME_LENGTH),
    hint: 'Their page’s web address won’t change',
  },
  phone: {
    label: 'Phone',
    section: 'Contact',
    control: 'extension',
    input: optionalPattern(EXTENSION_PATTERN, INVALID_EXTENSION, formatPhone),
    initial: null,
  },
  fax: {
    label: 'Fax',
    section: 'Contact',
    control: 'phone',
    input: optionalPattern(PHONE_PATTERN, INVALID_PHONE, formatPhone),
    initial: null,
  },
  email: {
    label: 'Email',
    section: 'Contact',
    control: 'email',
    input: optionalEmail(),
    newInput: requiredEmail(),
    hint: 'Work email',
  },
  sql_person_id: {
    label: 'HR number',
    section: 'Name and HR Number',
    control: 'text',
    input: optionalLine(100),
    initial: null,
    hint: 'PersonID in the HR directory',
  },
} as const satisfies FieldDefinitions

export const personLabels = { ...getLabels(PERSON_FIELDS), slug: 'Slug', leftAt: 'No longer employed since' }
