import { formatPhone } from '../../contract/phones.ts'
import { isActive, STATUS_LABELS } from '../../contract/status.ts'
import type { MailFact } from '../../platform/server/mail/layout.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { charterLabels } from './fields.ts'

/** The facts of a charter in a check email. */
export const listCharterFacts = (model: ReadModel, _id: string): MailFact[] => {
  const charter = model.table('charter').need(_id)
  const sites = model.table('site').where('charter', _id)
  const toFact = (label: string, value: string | null | undefined): MailFact =>
    value ? { label, value } : { label, value: 'None', kind: 'missing' }
  return [
    toFact(charterLabels.name, charter.name),
    toFact(charterLabels.abbreviation, charter.abbreviation),
    toFact(charterLabels.brand, model.table('brand').get(charter.brand)?.brandName),
    toFact(charterLabels.status, STATUS_LABELS[charter.status]),
    toFact(charterLabels.studentCount, charter.studentCount?.toLocaleString('en-US')),
    toFact(charterLabels.charterContactnumber, charter.charterContactnumber && formatPhone(charter.charterContactnumber)),
    toFact(charterLabels.charterWebsite, charter.charterWebsite),
    toFact(charterLabels.charter_number, charter.charter_number),
    toFact(charterLabels.charter_grade_levels, charter.charter_grade_levels),
    toFact('Active sites', String(sites.filter(({ status }) => isActive(status)).length)),
  ]
}
