import { formatPhone } from '../../contract/phones.ts'
import type { MailFact } from '../../platform/server/mail/layout.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { getSiteStaff, getVacantRoles } from '../../platform/server/read-model/references.ts'
import { formatAddressLines, formatHourLines } from './address-text.ts'
import { siteLabels } from './fields.ts'

const toFact = (label: string, value: string | null | undefined, missing: string): MailFact =>
  value ? { label, value } : { label, value: missing, kind: 'missing' }

/** The facts of a site in a check email. */
export const listSiteFacts = (model: ReadModel, _id: string): MailFact[] => {
  const site = model.table('site').need(_id)
  const leaders = getSiteStaff(model, _id).filter(({ role }) => role.group === 'LEADERSHIP')
  const missing = getVacantRoles(model, site).filter((role) => role === 'Principal' || role === 'Student Relations Manager')
  const roles = [...new Set([...missing, ...leaders.map(({ role }) => role.name)])]
  const charter = model.table('charter').get(site.charter)
  const region = model.table('region').get(site.region)
  return [
    toFact(siteLabels.phone, site.phone && formatPhone(site.phone), 'No number on file'),
    toFact(siteLabels.fax, site.fax && formatPhone(site.fax), 'No number on file'),
    toFact('Address', formatAddressLines(site).join(', '), 'No address on file'),
    toFact('Hours', formatHourLines(site).join(', '), 'No hours on file'),
    ...roles.map((role): MailFact => {
      const names = leaders.filter((one) => one.role.name === role).map(({ person }) => person.name)
      return names.length === 0 ? { label: role, value: 'Vacant', kind: 'gap' } : { label: role, value: names.join(', ') }
    }),
    toFact(siteLabels.category, site.category, 'None'),
    toFact(siteLabels.charter, charter?.name, 'None'),
    toFact(siteLabels.region, region?.name, 'None'),
    toFact(siteLabels.description, site.description, 'None'),
    toFact(siteLabels.closures, site.closures, 'None'),
  ]
}
