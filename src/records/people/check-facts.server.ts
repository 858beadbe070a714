import { formatPhone } from '../../contract/phones.ts'
import type { MailFact } from '../../platform/server/mail/layout.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { personLabels } from './fields.ts'
import { toPerson } from './queries.server.ts'

/** The facts of a person in a check email. */
export const listPersonFacts = (model: ReadModel, _id: string): MailFact[] => {
  const { name, phone, email, fax, locations } = toPerson(model, model.table('person').need(_id))
  const toFact = (label: string, value: string | null, missing: string): MailFact =>
    value ? { label, value } : { label, value: missing, kind: 'missing' }
  const positions = locations.map(({ role, site }): MailFact => ({ label: role.name, value: site.displayName }))
  return [
    { label: personLabels.name, value: name },
    toFact(personLabels.phone, phone && formatPhone(phone), 'No number on file'),
    toFact(personLabels.email, email, 'No email on file'),
    toFact(personLabels.fax, fax && formatPhone(fax), 'No number on file'),
    ...(positions.length === 0 ? [{ label: 'Roles', value: 'No roles', kind: 'missing' } as const] : positions),
  ]
}
