import type { HistoryParts } from '../../contract/history.ts'
import { enrollmentLabels, orientationLabels } from '../enrollment/fields.ts'
import { facilityLabels } from '../facility/fields.ts'
import { sisLabels } from '../sis-sites/fields.ts'
import { siteLabels } from './fields.ts'

export const siteHistory: HistoryParts = {
  site: { name: 'the site', title: 'Site', labels: siteLabels },
  facility: { name: 'the facility', title: 'Facility', labels: facilityLabels },
  enrollment: { name: 'the enrollment', title: 'Enrollment', labels: { ...enrollmentLabels, ...orientationLabels } },
  site_person: {
    name: 'a staff member',
    title: 'Staff',
    labels: { person: 'Person', role: 'Role', site: 'Site' },
    titleFields: ['person', 'role'],
    isNamedByTitle: true,
  },
  site_program_type: {
    name: 'the program type',
    title: 'Program types',
    labels: { program_type: 'Program type', site: 'Site' },
    titleFields: ['program_type'],
  },
  sis_site: {
    name: 'the SIS site',
    title: 'SIS sites',
    labels: sisLabels,
    titleFields: ['name'],
    values: { status: { true: 'Active', false: 'Inactive' } },
  },
}
