import type { FastifyRequest } from 'fastify'

import type { Tx } from '../../../database/connection.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { Edit, House } from '../../../platform/server/house.ts'
import { logSecurityEvent, type SecurityEvent } from '../../../platform/server/security-log.ts'
import { personBy } from '../people/queries.server.ts'
import { markLeft, readLeaving, undoLeaving } from './contract.ts'
import { leavingOf } from './queries.server.ts'
import { leave, type Turn, undo } from './saving.server.ts'

interface Asked {
  readonly house: House
  readonly edit: Edit
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

/** Changes a person and their access, and answers with them as they are then; nobody is remembered as signed in before the answer leaves. */
const change = async (
  { house: { lists, log }, edit, request, params }: Asked,
  event: SecurityEvent,
  write: (tx: Tx, turn: Turn) => Promise<void>,
) => {
  const person = await edit(async (tx, seen) => {
    const _id = await idOf(tx, 'person', params.id)
    await write(tx, { person: _id, claim: () => claim(tx, 'person', _id, seen) })
    return personBy(tx, _id)
  })
  lists.drop(['session', 'account'])
  logSecurityEvent(log, request, event, { person: person._id })
  return person
}

export const leavingRoutes: Route[] = [
  on(readLeaving, async ({ params, house: { db, configuration } }) => leavingOf(db, configuration, await idOf(db, 'person', params.id))),
  on(markLeft, async ({ body, user, house, ...asked }) =>
    change({ house, ...asked }, 'person_left', (tx, turn) => leave(tx, house.configuration, user, turn, body.handOver ?? [])),
  ),
  on(undoLeaving, async ({ user, house, ...asked }) =>
    change({ house, ...asked }, 'leaving_undone', (tx, turn) => undo(tx, house.configuration, user, turn)),
  ),
]
