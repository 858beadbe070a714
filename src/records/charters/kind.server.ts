import { toSlug } from '../../contract/slugs.ts'
import type { RecordKindServer } from '../../platform/server/handler.ts'
import { getModelId } from '../../platform/server/read-model/read-record.ts'
import { defineCreation } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { toColumns } from '../../platform/server/sheet-definition.ts'
import { createCharter } from './contract.ts'
import { CHARTER_FIELDS, charterLabels } from './fields.ts'
import { CHARTER_LIST } from './list.ts'
import { insertCharter, UNIQUE_CHARTER_FIELDS } from './mutations.server.ts'
import { describeCharter, listCharterRows } from './queries.server.ts'
import { charterEdit, charterRoutes } from './routes.server.ts'

const columns = toColumns(CHARTER_FIELDS)

export const charterKind: RecordKindServer = {
  kind: 'charter',
  routes: charterRoutes,
  editCapability: charterEdit.call.capability,
  parts: [createPart(charterEdit, { labels: charterLabels })],
  findKey: (model, idOrSlug) => getModelId(model, 'charter', idOrSlug),
  describe: describeCharter,
  unique: UNIQUE_CHARTER_FIELDS,
  create: defineCreation(createCharter, insertCharter, {
    // Its form derives the slug from the name.
    toBody: (values) => ({ slug: toSlug(typeof values['name'] === 'string' ? values['name'] : ''), ...values }),
  }),
  listRows: async (_db, model) => Promise.resolve(listCharterRows(model)),
  sheets: { charters: { versions: { table: 'charter' }, isForNewRows: true, columns: () => columns } },
  lists: { all: 'charters', others: ['brand_charters'], columns: CHARTER_LIST.columns },
  references: { brand: 'brand', photo: 'picture' },
}
