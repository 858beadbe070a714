import { can } from '../../../contract/capabilities.ts'
import { forbidden, invalidFields, notFound } from '../../../contract/problem.ts'
import { getRecordName, isRowKind, type RecordKind, type RowKind } from '../../../contract/records.ts'
import { isArchivable } from '../../../database/archived-records.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { getModelId } from '../../../platform/server/read-model/read-record.ts'
import { toArchived, toMoment } from '../../../platform/server/read-model/references.ts'
import { type ArchiveState, archiveRecord, readArchiveState, restoreRecord } from './contract.ts'
import { archive, deleteRow, findDeletion, restore, restoreRow } from './mutations.server.ts'
import { findNeeds } from './needs.server.ts'

interface Subject {
  readonly kind: RecordKind | RowKind
  readonly key: string
}

/** The record that a call is about. Throws 403 if the caller may not edit its kind, 404, and 422 for one that is archived with another. */
const findSubject = async (context: AppContext, user: SignedIn, kind: ArchiveState['kind'], idOrSlug: string): Promise<Subject> => {
  const { editCapability } = Object.values(context.kinds).find((one) => one.kind === kind) ?? {}
  if (editCapability !== undefined && !can(user.accessLevel, editCapability)) throw forbidden(editCapability)
  await context.readModel.ready()
  if (isArchivable(kind)) return { kind, key: getModelId(context.readModel, kind, idOrSlug) }
  if (isRowKind(kind)) return { kind, key: idOrSlug }
  throw invalidFields([{ path: 'kind', message: `${getRecordName(kind)}: archived and restored with the record that it belongs to` }])
}

const readState = async (context: AppContext, { kind, key: _id }: Subject): Promise<ArchiveState> => {
  const { db, readModel } = context
  await readModel.ready()
  if (isArchivable(kind)) {
    const row = readModel.table(kind).get(_id)
    if (!row) throw notFound(getRecordName(kind))
    const archived = toArchived(row).archived ?? null
    return { kind, _id, archived, needs: archived ? [] : await findNeeds(db, context, kind, _id) }
  }
  const deletion = await findDeletion(db, kind, _id)
  return { kind, _id, archived: deletion ? { at: toMoment(deletion.at), by: deletion.by, reason: null } : null, needs: [] }
}

export const archiveRoutes: Route[] = [
  handle(readArchiveState, async ({ params: { kind, id }, user, context }) =>
    readState(context, await findSubject(context, user, kind, id)),
  ),
  handle(archiveRecord, async ({ body: { kind: of, _id, reason }, user, context, edit, request }) => {
    const subject = await findSubject(context, user, of, _id)
    const { kind, key } = subject
    await edit(async (tx, ifMatchVersion) => {
      if (isArchivable(kind)) await archive(tx, context, kind, key, reason, ifMatchVersion)
      else await deleteRow(tx, kind, key, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'record.archived', record: key, after: { of, reason } })
    })
    return readState(context, subject)
  }),
  handle(restoreRecord, async ({ params: { kind: of, id }, user, context, edit, request }) => {
    const subject = await findSubject(context, user, of, id)
    const { kind, key } = subject
    await edit(async (tx, ifMatchVersion) => {
      const reason = isArchivable(kind) ? (await restore(tx, context, kind, key, ifMatchVersion)).archivedReason : null
      if (!isArchivable(kind)) await restoreRow(tx, kind, key)
      await recordAudit(tx, request, { kind: 'record.restored', record: key, before: { of, reason } })
    })
    return readState(context, subject)
  }),
]
