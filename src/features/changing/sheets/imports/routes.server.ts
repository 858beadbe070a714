import { recordAudit } from '../../../../platform/server/audit.ts'
import { handle, type Route } from '../../../../platform/server/handler.ts'
import { getUploadName, getUploadText } from '../../../../platform/server/upload.ts'
import { oneAtATime } from '../file-worker.server.ts'
import { applyImport, createImport, listImports, mapImport, readImport } from './contract.ts'
import { insertImport, readImportPreview, saveImport, updateMapping } from './mutations.server.ts'
import { listImportFiles } from './queries.server.ts'

export const importRoutes: Route[] = [
  handle(createImport, async ({ params, file, user, context, edit }) => {
    const upload = { fileName: getUploadName(file) ?? 'File', file, mappingText: getUploadText(file) }
    return oneAtATime(() => edit((tx) => insertImport(tx, context, user, params.kind, upload)))
  }),
  handle(listImports, ({ user, context }) => listImportFiles(context, user)),
  handle(mapImport, async ({ params, body, user, context, edit }) =>
    oneAtATime(() => edit((tx) => updateMapping(tx, context, user, params.id, body))),
  ),
  handle(readImport, async ({ params, query, user, context }) =>
    oneAtATime(() => readImportPreview(context, user, params.id, query.cells === 'true')),
  ),
  handle(applyImport, async ({ params, body, user, context, edit, request }) =>
    edit(async (tx) => {
      const { fileName, ...result } = await saveImport(tx, context, user, params.id, body)
      if (result.changeset) {
        const after = { what: 'import', file: fileName, records: result.changed, created: result.created }
        await recordAudit(tx, request, { kind: 'changeset.saved', record: result.changeset._id, after })
      }
      return result
    }),
  ),
]
