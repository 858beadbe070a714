import type { RecordKindServer } from '../../platform/server/handler.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { getModelId } from '../../platform/server/read-model/read-record.ts'
import { defineCreation } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { toColumns } from '../../platform/server/sheet-definition.ts'
import { createPerson } from './contract.ts'
import { PERSON_FIELDS, personLabels } from './fields.ts'
import { STAFF_LIST } from './list.ts'
import { insertPerson, UNIQUE_PERSON_FIELDS } from './mutations.server.ts'
import { personEdit, peopleRoutes } from './routes.server.ts'

const columns = toColumns(PERSON_FIELDS)

/** Requests about a person are assigned to the region they work in, if there is exactly one. */
const findRegion = (model: ReadModel, person: string): string | null => {
  const regions = new Set(
    model
      .table('site_person')
      .where('person', person)
      .map(({ site }) => model.table('site').need(site).region),
  )
  return regions.size === 1 ? ([...regions][0] ?? null) : null
}

export const personKind: RecordKindServer = {
  kind: 'person',
  routes: peopleRoutes,
  editCapability: personEdit.call.capability,
  parts: [createPart(personEdit, { labels: personLabels })],
  findKey: (model, idOrSlug) => getModelId(model, 'person', idOrSlug),
  describe: (model, key) => {
    const row = model.table('person').get(key)
    return row && { slug: row.slug, name: row.name, site: null, region: findRegion(model, key) }
  },
  unique: UNIQUE_PERSON_FIELDS,
  create: defineCreation(createPerson, insertPerson),
  listRows: async (_db, model) =>
    Promise.resolve(
      [...model.table('person').all()].filter(({ leftAt }) => leftAt === null).map(({ _id, name }) => ({ _id, name, owner: _id })),
    ),
  sheets: { people: { versions: { table: 'person' }, isForNewRows: true, columns: () => columns } },
  lists: { others: ['staff', 'leadership', 'support'], columns: STAFF_LIST.columns },
  references: {},
}
