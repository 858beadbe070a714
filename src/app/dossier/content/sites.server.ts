import { formatCount } from '../../../contract/format.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { STATUS_LABELS } from '../../../contract/status.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'
import { ENROLLMENT_FIELDS, ORIENTATION_FIELDS } from '../../../records/enrollment/fields.ts'
import { FACILITY_FIELDS } from '../../../records/facility/fields.ts'
import { ADDRESS_FIELDS, SITE_FIELDS } from '../../../records/sites/fields.ts'
import { toEnrollment, toFacility, toSiteStaff } from '../../../records/sites/queries.server.ts'
import type { Group, Section } from '../document.ts'
import { PART_TEXTS } from '../rules.ts'
import { toFacts } from './fields.server.ts'

type Site = ModelRow<'site'>

const NO_SITES = 'The charter had no sites on this day.'

/** The name is the title, and all are of the charter. */
const { displayName: _displayName, charter: _charter, ...OTHER_SITE_FIELDS } = SITE_FIELDS

const LEADERSHIP_COLUMNS = [
  { label: 'Role', width: 3 },
  { label: 'Person', width: 3 },
  { label: 'Phone', width: 2.2 },
  { label: 'Email', width: 4 },
] as const

const describe = (model: ReadModel, { status, category, city, region }: Site): string =>
  [STATUS_LABELS[status], category, city, model.table('region').get(region)?.name].filter(Boolean).join(' · ')

const toGroup = (model: ReadModel, site: Site, timeZone: string): Group => {
  const names = { region: model.table('region').get(site.region)?.name ?? null }
  const leadership = toSiteStaff(model, site._id).filter(
    ({ role_match }) => model.table('role').get(role_match._id)?.group === 'LEADERSHIP',
  )
  return {
    title: site.displayName,
    note: describe(model, site),
    blocks: [
      { kind: 'facts', sheet: 'Sites', facts: toFacts('site', { ...OTHER_SITE_FIELDS, ...ADDRESS_FIELDS }, { ...site }, timeZone, names) },
      {
        kind: 'table',
        title: 'Leadership',
        sheet: 'Leadership',
        columns: LEADERSHIP_COLUMNS,
        rows: leadership.map(({ person, role_match }) => [
          role_match.name,
          person.name,
          person.phone === null ? '' : formatPhone(person.phone),
          person.email ?? '',
        ]),
        empty: 'No one had a leadership role.',
      },
      {
        kind: 'facts',
        title: 'Facility',
        sheet: 'Facilities',
        facts: toFacts('facility', FACILITY_FIELDS, { ...toFacility(model.table('facility').need(site._id)) }, timeZone),
      },
    ],
  }
}

export const buildSites = (model: ReadModel, sites: readonly Site[], timeZone: string): Section => ({
  title: PART_TEXTS.sites.title,
  intro: `${formatCount(sites.length, 'site')} of the charter, each with its leadership and its facility.`,
  record: 'Site',
  groups: sites.map((site) => toGroup(model, site, timeZone)),
  empty: NO_SITES,
})

const PROGRAM_FIELDS = Object.fromEntries(
  Object.entries({ ...ENROLLMENT_FIELDS, ...ORIENTATION_FIELDS }).filter(([name]) => name !== 'programTypes'),
)

/** The programs of each site, with the other fields of its enrollment. */
export const buildPrograms = (model: ReadModel, sites: readonly Site[], timeZone: string): Section => ({
  title: PART_TEXTS.programs.title,
  intro: `${PART_TEXTS.programs.contains}, with its enrollment emails and orientation.`,
  record: 'Site',
  groups: sites.map((site) => {
    const { programTypes, orientation, ...enrollment } = toEnrollment(model, model.table('enrollment').need(site._id))
    const programs = { label: ENROLLMENT_FIELDS.programTypes.label, value: programTypes.map(({ name }) => name).join(', ') }
    return {
      title: site.displayName,
      blocks: [
        {
          kind: 'facts',
          sheet: 'Programs',
          facts: [programs, ...toFacts('enrollment', PROGRAM_FIELDS, { ...enrollment, ...orientation }, timeZone)],
        },
      ],
    }
  }),
  empty: NO_SITES,
})
