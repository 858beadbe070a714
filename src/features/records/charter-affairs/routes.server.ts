import type { Tx } from '../../../database/connection.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { Edit } from '../../../platform/server/house.ts'
import type { CharterWithAffair } from './contract.ts'
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
import { insertRow, ensureAffair, deleteRow, saveRow, saveSections, getStoredSections } from './mutations.server.ts'
import { getCharterWithAffair } from './queries.server.ts'

/** Changes something of a charter's affair, and answers with the whole of it. */
const editAffair = (
  edit: Edit,
  idOrSlug: string,
  write: (tx: Tx, charter: string, seen: number | undefined) => Promise<void>,
): Promise<CharterWithAffair> =>
  edit(async (tx, seen) => {
    const charter = await idOf(tx, 'charter', idOrSlug)
    await write(tx, charter, seen)
    return getCharterWithAffair(tx, charter)
  })

export const charterAffairRoutes: Route[] = [
  on(readCharterAffair, async ({ params, house }) => getCharterWithAffair(house.db, params.id)),
  on(saveCharterAffair, async ({ params, settled, edit }) =>
    editAffair(edit, params.id, async (tx, charter, seen) => {
      const { _id, isNew } = await ensureAffair(tx, charter)
      await claim(tx, 'charter_affair', _id, isNew && seen === NO_RECORD ? undefined : seen)
      const stored = await getStoredSections(tx, _id)
      await saveSections(tx, _id, stored, settled(stored))
    }),
  ),
  on(addMember, async ({ params, body, edit }) =>
    editAffair(edit, params.id, (tx, charter) => insertRow(tx, 'authorizer_board_member', charter, body)),
  ),
  on(updateMember, async ({ params, body, edit }) =>
    editAffair(edit, params.id, (tx, charter, seen) => saveRow(tx, 'authorizer_board_member', charter, body, seen)),
  ),
  on(removeMember, async ({ params, edit }) =>
    editAffair(edit, params.id, (tx, charter, seen) => deleteRow(tx, 'authorizer_board_member', charter, params.memberId, seen)),
  ),
  on(addDistrict, async ({ params, body, edit }) =>
    editAffair(edit, params.id, (tx, charter) => insertRow(tx, 'center_district', charter, body)),
  ),
  on(updateDistrict, async ({ params, body, edit }) =>
    editAffair(edit, params.id, (tx, charter, seen) => saveRow(tx, 'center_district', charter, body, seen)),
  ),
  on(removeDistrict, async ({ params, edit }) =>
    editAffair(edit, params.id, (tx, charter, seen) => deleteRow(tx, 'center_district', charter, params.districtId, seen)),
  ),
]
