import { createDayFormat, formatDay, formatMoment, formatMomentTime } from '../../../contract/dates.ts'
import { getCharterWithAffair } from '../../../records/charter-affairs/queries.server.ts'
import type { DossierDocument, Fact, Section } from '../document.ts'
import { type DossierPart, PART_TEXTS } from '../rules.ts'
import { buildAffair, buildDistricts, buildMembers, buildTerms } from './affair.server.ts'
import { buildChanges, buildChecks, readChanges } from './changes.server.ts'
import { buildDeadlines } from './deadlines.server.ts'
import { type DossierScope, isToday } from './scope.server.ts'
import { buildPrograms, buildSites } from './sites.server.ts'

const formatLongDay = createDayFormat({ year: 'numeric', month: 'long', day: 'numeric' })

export interface DossierFacts {
  readonly _id: string
  readonly by: string
  readonly parts: readonly DossierPart[]
  readonly madeAt: Date
  /** The name in the certificate; null if it is not signed. */
  readonly signedBy: string | null
}

/** Everything that a dossier says. */
export const buildDocument = async (scope: DossierScope, { _id, by, parts, madeAt, signedBy }: DossierFacts): Promise<DossierDocument> => {
  const { past, present, charter: row, sites, on, from, to, change } = scope
  const { timeZone, publicUrl } = present.configuration
  const { readModel } = past
  const charter = await getCharterWithAffair(past, row._id)
  const [affair] = charter.charter_affair_info
  const read = parts.includes('changes') || parts.includes('checks') ? await readChanges(scope) : { changes: [], checks: [], count: 0 }
  const build: Readonly<Record<DossierPart, () => Section | Promise<Section>>> = {
    affair: () => buildAffair(charter, timeZone),
    terms: () => buildTerms(charter),
    board_members: () => buildMembers(charter),
    districts: () => buildDistricts(charter),
    sites: () => buildSites(readModel, sites, timeZone),
    programs: () => buildPrograms(readModel, sites, timeZone),
    deadlines: () => buildDeadlines(scope),
    changes: () => buildChanges(scope, read),
    checks: () => buildChecks(scope, read),
  }
  const sections: Section[] = []
  for (const part of parts) sections.push(await build[part]())
  const host = new URL(publicUrl).host
  const cover: Fact[] = [
    { label: 'Authorizer', value: affair?.overview.authorizer ?? '' },
    { label: 'Charter number', value: affair?.charter_no_cds.charter_number ?? charter.charter_number ?? '' },
    { label: 'CDS code', value: affair?.charter_no_cds.cds_code ?? '' },
    { label: 'Period', value: `${formatDay(from)} to ${formatDay(to)}` },
    { label: 'Parts', value: parts.map((part) => PART_TEXTS[part].title).join(', ') },
    { label: 'Made', value: `${formatMoment(madeAt, timeZone)} by ${by}` },
    { label: 'Signed', value: signedBy === null ? 'Not signed' : `By ${signedBy}` },
    { label: 'Source', value: `Homeroom at ${host}, after change ${change}` },
    { label: 'Identifier', value: _id },
  ]
  return {
    _id,
    charter: charter.name,
    fileName: `${charter.name} dossier ${on}`,
    state: isToday(present, on)
      ? `State of ${formatLongDay(on)}, ${formatMomentTime(madeAt, timeZone)}`
      : `State at the end of ${formatLongDay(on)}`,
    source: `Source: Homeroom at ${host}, dossier ${_id}`,
    cover,
    closing: `To check this file, drop it on ${publicUrl}/verify. The page says whether this server made it, when, and whether a byte was changed since. No account is needed.`,
    madeAt: madeAt.toISOString(),
    sections,
  }
}
