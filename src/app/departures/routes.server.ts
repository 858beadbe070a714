import type { FastifyRequest } from 'fastify'

import type { Tx } from '../../database/connection.server.ts'
import { findRecordId } from '../../database/record-lookup.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { RunEdit, AppContext } from '../../platform/server/app-context.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { readRecord } from '../../platform/server/read-model/read-record.ts'
import { logSecurityEvent, type SecurityEvent } from '../../platform/server/security-log.ts'
import { toPersonWithSites } from '../../records/people/queries.server.ts'
import { createDeparture, deleteDeparture, listDisabledPeople, readDeparture } from './contract.ts'
import { auditDeparture, cancelPlannedDeparture, insertDeparture, type PersonLock, undoDeparture } from './mutations.server.ts'
import { findDisabledPeople, getDeparturePreview } from './queries.server.ts'

interface HandlerInput {
  readonly context: AppContext
  readonly edit: RunEdit
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

/** Changes a person and their access; clears cached sessions before the response is sent. */
const changeDeparture = async (
  { context: { lists, readModel, log }, edit, request, params }: HandlerInput,
  event: SecurityEvent,
  write: (tx: Tx, lock: PersonLock) => Promise<void>,
) => {
  const _id = await edit(async (tx, ifMatchVersion) => {
    const person = await findRecordId(tx, 'person', params.id)
    const lock = { person, lockForUpdate: async () => void (await lockForUpdate(tx, 'person', person, ifMatchVersion)) }
    await auditDeparture(tx, request, person, () => write(tx, lock))
    return person
  })
  await lists.invalidate(['session', 'account'])
  logSecurityEvent(log, request, event, { person: _id })
  return readRecord(readModel, 'person', _id, toPersonWithSites)
}

export const departureRoutes: Route[] = [
  handle(listDisabledPeople, async ({ context: { db, configuration } }) => findDisabledPeople(db, configuration)),
  handle(readDeparture, async ({ params, context: { db, configuration } }) =>
    getDeparturePreview(db, configuration, await findRecordId(db, 'person', params.id)),
  ),
  handle(createDeparture, async ({ body, user, context, ...request }) =>
    changeDeparture({ context, ...request }, 'person_left', async (tx, lock) => {
      await insertDeparture(tx, context.configuration, user, lock, body)
      await cancelPlannedDeparture(tx, lock.person, context.now())
    }),
  ),
  handle(deleteDeparture, async ({ user, context, ...request }) =>
    changeDeparture({ context, ...request }, 'leaving_undone', (tx, lock) => undoDeparture(tx, context.configuration, user, lock)),
  ),
]
