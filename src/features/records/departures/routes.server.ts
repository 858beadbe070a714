import type { FastifyRequest } from 'fastify'

import type { Tx } from '../../../database/connection.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { Edit, House } from '../../../platform/server/house.ts'
import { logSecurityEvent, type SecurityEvent } from '../../../platform/server/security-log.ts'
import { getPerson } from '../people/queries.server.ts'
import { createDeparture, readDeparture, deleteDeparture } from './contract.ts'
import { insertDeparture, type PersonLock, undoDeparture } from './mutations.server.ts'
import { getDeparturePreview } from './queries.server.ts'

interface HandlerInput {
  readonly house: House
  readonly edit: Edit
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

/** Changes a person and their access, and answers with them as they are then; nobody is remembered as signed in before the answer leaves. */
const changeDeparture = async (
  { house: { lists, log }, edit, request, params }: HandlerInput,
  event: SecurityEvent,
  write: (tx: Tx, turn: PersonLock) => Promise<void>,
) => {
  const person = await edit(async (tx, seen) => {
    const _id = await idOf(tx, 'person', params.id)
    await write(tx, { person: _id, claim: () => claim(tx, 'person', _id, seen) })
    return getPerson(tx, _id)
  })
  lists.drop(['session', 'account'])
  logSecurityEvent(log, request, event, { person: person._id })
  return person
}

export const departureRoutes: Route[] = [
  on(readDeparture, async ({ params, house: { db, configuration } }) =>
    getDeparturePreview(db, configuration, await idOf(db, 'person', params.id)),
  ),
  on(createDeparture, async ({ body, user, house, ...asked }) =>
    changeDeparture({ house, ...asked }, 'person_left', (tx, turn) =>
      insertDeparture(tx, house.configuration, user, turn, body.handOver ?? []),
    ),
  ),
  on(deleteDeparture, async ({ user, house, ...asked }) =>
    changeDeparture({ house, ...asked }, 'leaving_undone', (tx, turn) => undoDeparture(tx, house.configuration, user, turn)),
  ),
]
