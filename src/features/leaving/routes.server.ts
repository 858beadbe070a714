import type { Tx } from '../../database/connection.server.ts'
import { idOf } from '../../database/lookup.server.ts'
import { claim } from '../../database/saving.server.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import type { Edit, House } from '../../platform/server/house.ts'
import { personBy } from '../people/queries.server.ts'
import { markLeft, readLeaving, undoLeaving } from './contract.ts'
import { leavingOf } from './queries.server.ts'
import { leave, type Turn, undo } from './saving.server.ts'

/** Changes a person and their access, and answers with them as they are then; nobody is remembered as signed in before the answer leaves. */
const change = async ({ lists }: House, edit: Edit, idOrSlug: string, write: (tx: Tx, turn: Turn) => Promise<void>) => {
  const person = await edit(async (tx, seen) => {
    const _id = await idOf(tx, 'person', idOrSlug)
    await write(tx, { person: _id, claim: () => claim(tx, 'person', _id, seen) })
    return personBy(tx, _id)
  })
  lists.drop(['session', 'account'])
  return person
}

export const leavingRoutes: Route[] = [
  on(readLeaving, async ({ params, house: { db, configuration } }) => leavingOf(db, configuration, await idOf(db, 'person', params.id))),
  on(markLeft, async ({ params, body, user, house, edit }) =>
    change(house, edit, params.id, (tx, turn) => leave(tx, house.configuration, user, turn, body.handOver ?? [])),
  ),
  on(undoLeaving, async ({ params, user, house, edit }) =>
    change(house, edit, params.id, (tx, turn) => undo(tx, house.configuration, user, turn)),
  ),
]
