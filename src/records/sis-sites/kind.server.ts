import { notFound } from '../../contract/problem.ts'
import type { RecordKindServer } from '../../platform/server/handler.ts'
import { defineCreation } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { toColumns } from '../../platform/server/sheet-definition.ts'
import { createSisSite } from './contract.ts'
import { SIS_FIELDS, sisLabels } from './fields.ts'
import { insertSisSite } from './mutations.server.ts'
import { sisSiteEdit, sisSiteRoutes } from './routes.server.ts'

const columns = toColumns(SIS_FIELDS)

/** The SIS sites of sites, which only sheets edit as records of their own. */
export const sisSiteKind: RecordKindServer = {
  kind: 'sis_site',
  routes: sisSiteRoutes,
  editCapability: sisSiteEdit.call.capability,
  parts: [createPart(sisSiteEdit, { labels: sisLabels })],
  findKey: (model, _id) => {
    if (!model.table('sis_site').get(_id)) throw notFound('SIS site')
    return _id
  },
  describe: (model, key) => {
    const row = model.table('sis_site').get(key)
    const site = row && model.table('site').get(row.site)
    return row && { slug: key, name: row.name ?? key, site: row.site, region: site?.region ?? null }
  },
  create: defineCreation(createSisSite, insertSisSite),
  listRows: async (_db, model) =>
    Promise.resolve(
      [...model.table('sis_site').all()].map(({ _id, name, site }) => {
        const { region = null, charter = null, status = null } = model.table('site').get(site) ?? {}
        return { _id, name: name ?? _id, owner: site, region, charter, status }
      }),
    ),
  sheets: { sis_sites: { versions: { table: 'sis_site' }, isForNewRows: true, columns: () => columns } },
  references: {},
}
