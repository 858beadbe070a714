import { isRestricted } from '../../../contract/records.ts'
import { recordAffairRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { mergeRecords, previewMerge } from './contract.ts'
import { findPair, merge } from './mutations.server.ts'
import { getMergePreview } from './queries.server.ts'

export const mergeRoutes: Route[] = [
  handle(previewMerge, async ({ body, user, context, request }) => {
    const pair = await findPair(context, user, body)
    const preview = await getMergePreview(context, user, body.kind, pair)
    if (preview.fields.some(({ path }) => isRestricted(path.split('.')[0] ?? '')))
      await recordAffairRead(context, request, 'merge', pair.keep)
    return preview
  }),
  handle(mergeRecords, async ({ body, user, context, edit, request }) => {
    const pair = await findPair(context, user, body)
    return edit(async (tx) => {
      const changeset = await merge(tx, context, user, pair, body)
      const after = { what: 'merge', of: body.kind, kept: pair.keep, merged: pair.merge }
      await recordAudit(tx, request, { kind: 'changeset.saved', record: changeset, after })
      return { changeset: { _id: changeset } }
    })
  }),
]
