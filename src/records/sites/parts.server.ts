import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  sortByTexts,
  getId,
  getSiteStaff,
  toMoment,
  toPersonReference,
  toRecordFields,
} from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { EnrollmentInfo } from '../enrollment/contract.ts'
import { sortDates } from '../enrollment/rules.ts'
import type { FacilityInfo } from '../facility/contract.ts'
import type { SisSite } from '../sis-sites/contract.ts'
import type { SitePerson } from '../site-staff/contract.ts'

// The parts of a site. They are here because a site is shown with all of them; each part's own feature contains its writes.

export const toFacility = ({ site: _site, updatedAt, ...facility }: ModelRow<'facility'>): FacilityInfo => ({
  ...facility,
  updatedAt: toMoment(updatedAt),
})

/** An enrollment record, lists sorted. */
export const toEnrollment = (model: ReadModel, row: ModelRow<'enrollment'>): EnrollmentInfo => ({
  about: row.about,
  moreAbout: row.moreAbout,
  programTypes: sortByTexts(
    model
      .table('site_program_type')
      .where('site', row.site)
      .map(({ program_type }) => model.table('program_type').need(program_type)),
    ({ name }) => name,
  ).map(({ _id, name }) => ({ _id, name })),
  registrationEmail: row.registrationEmail,
  interestEmail: row.interestEmail,
  primaryEmailstatus: row.primaryEmailstatus as EnrollmentInfo['primaryEmailstatus'],
  addtionalEmailstatus: row.addtionalEmailstatus as EnrollmentInfo['addtionalEmailstatus'],
  orientation: {
    virtual_orientation_link: row.virtual_orientation_link,
    selected_dates: sortDates(row.selected_dates as EnrollmentInfo['orientation']['selected_dates']),
    recurring_dates: row.recurring_dates as EnrollmentInfo['orientation']['recurring_dates'],
    blackout_dates: row.blackout_dates.toSorted(),
  },
  ...toRecordFields(row),
})

/** The staff of a site, by role and name. */
export const toSiteStaff = (model: ReadModel, site: string): SitePerson[] =>
  getSiteStaff(model, site).map(({ _id, person, role }) => ({
    _id,
    person: toPersonReference(person),
    role_match: { _id: role._id, name: role.name },
  }))

export const toSisSite = (model: ReadModel, { site, updatedAt, ...sis }: ModelRow<'sis_site'>): SisSite => {
  const { _id, slug, name, displayName, version } = model.table('site').need(site)
  return { ...sis, site: { _id, slug, name, displayName, version }, updatedAt: toMoment(updatedAt) }
}

/** SIS sites, by name. */
export const toSisSites = (model: ReadModel, rows: Iterable<ModelRow<'sis_site'>>): SisSite[] =>
  sortByTexts(rows, ({ name }) => name, getId).map((row) => toSisSite(model, row))
