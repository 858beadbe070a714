import type { FormField } from '../../../../platform/web/form/fields.ts'
import { extensionField, phoneField } from '../../../../platform/web/form/phone-fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import type { PersonChange, PersonWithSites } from '../contract.ts'
import { personLabels } from '../rules.ts'

type Path = keyof PersonChange

/** The fields of the form; a missing field does not compile. */
export const personFields: Record<Path, FormField> = {
  name: { kind: 'line', label: personLabels.name, hint: 'Their page’s web address won’t change' },
  email: { kind: 'line', label: personLabels.email, keyboard: 'email', hint: 'Work email' },
  phone: extensionField(personLabels.phone),
  fax: phoneField(personLabels.fax),
  sql_person_id: { kind: 'line', label: personLabels.sql_person_id, hint: 'PersonID in the HR directory' },
}

export const PERSON_SECTIONS: readonly { title: string; about: string; fields: readonly Path[] }[] = [
  { title: 'Contact', about: 'Phone, email and fax', fields: ['phone', 'fax', 'email'] },
  { title: 'Name and HR Number', about: 'To change roles, go to the Staff page of the site', fields: ['name', 'sql_person_id'] },
]

export const toPersonValues = (person: PersonWithSites): Values => {
  const values: Record<Path, FieldValue> = {
    name: person.name,
    email: person.email ?? '',
    phone: person.phone ?? '',
    fax: person.fax ?? '',
    sql_person_id: person.sql_person_id ?? '',
  }
  return values
}
