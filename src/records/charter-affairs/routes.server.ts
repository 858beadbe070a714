import type { Tx } from '../../database/connection.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { AppContext, RunEdit } from '../../platform/server/app-context.ts'
import { recordRead } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import type { AffairChange, CharterWithAffair } from './contract.ts'
import {
  addDistrict,
  addMember,
  NO_RECORD,
  readCharterAffair,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from './contract.ts'
import { deleteRow, ensureAffair, insertRow, saveRow, saveSections, type StoredSections, toStoredSections } from './mutations.server.ts'
import { getCharterWithAffair } from './queries.server.ts'

interface EditInput {
  readonly edit: RunEdit
  readonly context: AppContext
}

/** Runs an edit of a charter's affair; returns the charter with its affair. */
const editAffair = async (
  { edit, context }: EditInput,
  idOrSlug: string,
  write: (tx: Tx, charter: string, ifMatchVersion: number | undefined) => Promise<void>,
): Promise<CharterWithAffair> => {
  const charter = await findModelId(context.readModel, 'charter', idOrSlug)
  await edit((tx, ifMatchVersion) => write(tx, charter, ifMatchVersion))
  return getCharterWithAffair(context, charter)
}

/** Edits the sections of an existing affair. */
export const affairEdit = {
  call: saveCharterAffair,
  table: 'charter_affair',
  toInput: (row: StoredSections) => toStoredSections(row),
  save: (tx: Tx, _id: string, changes: AffairChange, row: StoredSections) => saveSections(tx, _id, toStoredSections(row), changes),
} as const

export const charterAffairRoutes: Route[] = [
  handle(readCharterAffair, async ({ params, context, request }) => {
    const charter = await getCharterWithAffair(context, params.id)
    await recordRead(context, request, { kind: 'charter_affair.read', record: charter._id, after: { charter: charter.name } })
    return charter
  }),
  handle(saveCharterAffair, async ({ params, validateChanges, ...input }) =>
    editAffair(input, params.id, async (tx, charter, ifMatchVersion) => {
      const { _id, isNew } = await ensureAffair(tx, charter)
      const row = (await lockForUpdate(
        tx,
        'charter_affair',
        _id,
        isNew && ifMatchVersion === NO_RECORD ? undefined : ifMatchVersion,
      )) as StoredSections
      await affairEdit.save(tx, _id, validateChanges(affairEdit.toInput(row)), row)
    }),
  ),
  handle(addMember, async ({ params, body, ...input }) =>
    editAffair(input, params.id, async (tx, charter) => void (await insertRow(tx, 'authorizer_board_member', charter, body))),
  ),
  handle(updateMember, async ({ params, body, ...input }) =>
    editAffair(input, params.id, (tx, charter, ifMatchVersion) => saveRow(tx, 'authorizer_board_member', charter, body, ifMatchVersion)),
  ),
  handle(removeMember, async ({ params, ...input }) =>
    editAffair(input, params.id, (tx, charter, ifMatchVersion) =>
      deleteRow(tx, 'authorizer_board_member', charter, params.memberId, ifMatchVersion),
    ),
  ),
  handle(addDistrict, async ({ params, body, ...input }) =>
    editAffair(input, params.id, async (tx, charter) => void (await insertRow(tx, 'center_district', charter, body))),
  ),
  handle(updateDistrict, async ({ params, body, ...input }) =>
    editAffair(input, params.id, (tx, charter, ifMatchVersion) => saveRow(tx, 'center_district', charter, body, ifMatchVersion)),
  ),
  handle(removeDistrict, async ({ params, ...input }) =>
    editAffair(input, params.id, (tx, charter, ifMatchVersion) =>
      deleteRow(tx, 'center_district', charter, params.districtId, ifMatchVersion),
    ),
  ),
]
