import { DAY_MS } from '../contract/dates.ts'
import type { Configuration } from '../platform/server/configuration.ts'
import { getSubjectName } from '../platform/server/signing-certificate.ts'
import { type Finding, failed, note, passed } from './finding.ts'

/** A certificate that expires in fewer days is reported. */
const FEW_DAYS = 30

/** Whether dossiers are signed, and how long their certificate is valid. Mistakes in its settings are those of the configuration. */
export const checkDossiers = ({ dossierCertificate }: Configuration): Promise<Finding[]> => {
  const [own] = dossierCertificate?.chain ?? []
  if (!own) return Promise.resolve([note('they are not signed: DOSSIER_CERTIFICATE is not set')])
  const words = `the certificate of ${getSubjectName(own)}, whose key is DOSSIER_KEY,`
  const [begins, days] = [own.validFromDate.getTime() - Date.now(), (own.validToDate.getTime() - Date.now()) / DAY_MS]
  if (begins > 0) return Promise.resolve([failed(`${words} is not valid yet, so dossiers are not signed`)])
  if (days < 0) return Promise.resolve([failed(`${words} has expired, so dossiers are not signed; renew it`)])
  const left = `${words} is valid for ${Math.floor(days)} more days`
  return Promise.resolve([days < FEW_DAYS ? note(`${left}; renew it soon`) : passed(left)])
}
