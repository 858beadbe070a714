import { getLabels, nestFields } from '../../contract/field-definitions.ts'
import type { RecordKindServer } from '../../platform/server/handler.ts'
import { getModelId } from '../../platform/server/read-model/read-record.ts'
import { defineCreation } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { toColumns } from '../../platform/server/sheet-definition.ts'
import { enrollmentPart, enrollmentSheet } from '../enrollment/part.server.ts'
import { enrollmentRoutes } from '../enrollment/routes.server.ts'
import { facilityPart, facilitySheet } from '../facility/part.server.ts'
import { facilityRoutes } from '../facility/routes.server.ts'
import { rolesPart, staffPart, staffSheet } from '../site-staff/part.server.ts'
import { siteStaffRoutes } from '../site-staff/routes.server.ts'
import { createSite } from './contract.ts'
import { ADDRESS_FIELDS, NEW_SITE_EMAIL_FIELDS, SITE_FIELDS } from './fields.ts'
import { SITE_LIST } from './list.ts'
import { insertSite, validateSite } from './mutations.server.ts'
import { siteEdit, siteRoutes } from './routes.server.ts'

const ALL_FIELDS = { ...SITE_FIELDS, ...nestFields('address', ADDRESS_FIELDS) }

const columns = [
  ...toColumns(ALL_FIELDS),
  ...toColumns(nestFields('enrollment_info', NEW_SITE_EMAIL_FIELDS)).map((column) => ({ ...column, isForNewRows: true as const })),
]

export const siteKind: RecordKindServer = {
  kind: 'site',
  routes: [...siteRoutes, ...facilityRoutes, ...enrollmentRoutes, ...siteStaffRoutes],
  editCapability: siteEdit.call.capability,
  parts: [createPart(siteEdit, { labels: getLabels(ALL_FIELDS) }), facilityPart, enrollmentPart, staffPart, rolesPart],
  findKey: (model, idOrSlug) => getModelId(model, 'site', idOrSlug),
  describe: (model, key) => {
    const site = model.table('site').get(key)
    return site && { slug: site.slug, name: site.displayName, site: site._id, region: site.region }
  },
  create: defineCreation(createSite, insertSite, {
    toBody: (values) => ({ address: {}, enrollment_info: {}, ...values }),
    check: (given) => validateSite(given, {}),
  }),
  listRows: async (_db, model) =>
    Promise.resolve(
      [...model.table('site').all()].map(({ _id, displayName, region, charter, status }) => ({
        _id,
        name: displayName,
        owner: _id,
        region,
        charter,
        status,
      })),
    ),
  sheets: {
    sites: { versions: { table: 'site' }, isForNewRows: true, columns: () => columns },
    facilities: facilitySheet,
    enrollments: enrollmentSheet,
    staff: staffSheet,
  },
  lists: { all: 'sites', others: ['region_sites', 'charter_sites'], columns: SITE_LIST.columns },
  references: {
    region: 'region',
    charter: 'charter',
    photo: 'picture',
    'enrollment_info.programTypes': 'program_type',
    'roles.*': 'person',
  },
}
