import { showPhone } from '../../../platform/contract/phones.ts'
import type { FormField } from '../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../platform/web/form/values.ts'
import type { PersonChange, PersonWithSites } from '../contract.ts'
import { personLabels } from '../rules.ts'

type Path = keyof PersonChange

/** A number formats itself; what follows an x stays (section 5). */
const withExtension = (typed: string): string => {
  const [number = '', extension = ''] = typed.trim().split(/\s*x\s*/)
  return extension === '' ? showPhone(number) : `${showPhone(number)} x${extension}`
}

/** Every field of a person's form; one that is missing here does not compile. */
export const personFields: Record<Path, FormField> = {
  name: { kind: 'line', label: personLabels.name, hint: 'The address of their page stays as it is' },
  email: { kind: 'line', label: personLabels.email, keyboard: 'email', hint: 'Their work address' },
  phone: {
    kind: 'line',
    label: personLabels.phone,
    keyboard: 'tel',
    placeholder: 'xxx-xxx-xxxx',
    hint: 'Formats itself as xxx-xxx-xxxx; an extension such as x12 may follow',
    strip: { not: /[^\d+x -]/g, says: 'Only digits, plus and hyphen are kept, and an extension' },
    format: withExtension,
  },
  fax: {
    kind: 'line',
    label: personLabels.fax,
    keyboard: 'tel',
    placeholder: 'xxx-xxx-xxxx',
    strip: { not: /[^\d+-]/g, says: 'Only digits, plus and hyphen are kept' },
    format: showPhone,
  },
  sql_person_id: { kind: 'line', label: personLabels.sql_person_id, hint: 'Their PersonID in the HR directory' },
}

export const PERSON_SECTIONS: readonly { title: string; about: string; fields: readonly Path[] }[] = [
  { title: 'Contact', about: 'How colleagues reach them.', fields: ['phone', 'fax', 'email'] },
  { title: 'Who it is', about: 'Roles and sites are changed on the pages of the sites.', fields: ['name', 'sql_person_id'] },
]

export const personValues = (person: PersonWithSites): Values => {
  const values: Record<Path, FieldValue> = {
    name: person.name,
    email: person.email ?? '',
    phone: person.phone ?? '',
    fax: person.fax ?? '',
    sql_person_id: person.sql_person_id ?? '',
  }
  return values
}
