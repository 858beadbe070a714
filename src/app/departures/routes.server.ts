import type { FastifyRequest } from 'fastify'

import type { Tx } from '../../database/connection.server.ts'
import { findRecordId } from '../../database/record-lookup.server.ts'
import { lockForUpdate } from '../../database/update-record.server.ts'
import type { RunEdit, AppContext } from '../../platform/server/app-context.ts'
import { type NewAuditEvent, recordAudit } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { readRecord } from '../../platform/server/read-model/read-record.ts'
import { logSecurityEvent, type SecurityEvent } from '../../platform/server/security-log.ts'
import { toPersonWithSites } from '../../records/people/queries.server.ts'
import { createDeparture, deleteDeparture, listDisabledPeople, readDeparture } from './contract.ts'
import { insertDeparture, type PersonLock, undoDeparture } from './mutations.server.ts'
import { findDisabledPeople, type Departure, findDeparture, getDeparturePreview } from './queries.server.ts'

interface HandlerInput {
  readonly context: AppContext
  readonly edit: RunEdit
  readonly request: FastifyRequest
  readonly params: { readonly id: string }
}

const toAuditValues = ({ address, accounts, permissions, endedRoles }: Departure): object => ({
  address,
  accounts,
  permissions: permissions.map(({ _id }) => _id),
  roles: endedRoles.length,
})

const toSessionsEnd = (account: string): NewAuditEvent => ({
  kind: 'session.ended',
  record: account,
  after: { reason: 'no longer employed' },
})

/** The events of a departure or its undo: the departure itself, closed sessions, and each permission that was removed or restored. */
const toAuditEvents = (person: string, before: Departure | undefined, after: Departure | undefined): NewAuditEvent[] => {
  const departure = after ?? before
  if (!departure) return []
  const grants = departure.permissions.map(({ _id, name, azureID, accessLevel }): NewAuditEvent => {
    const values = { name, azureID, accessLevel }
    return after ? { kind: 'permission.removed', record: _id, before: values } : { kind: 'permission.granted', record: _id, after: values }
  })
  const values = toAuditValues(departure)
  return [
    after ? { kind: 'departure.created', record: person, after: values } : { kind: 'departure.undone', record: person, before: values },
    ...grants,
    ...(after ? after.accounts.map(toSessionsEnd) : []),
  ]
}

/** Changes a person and their access; clears cached sessions before the response is sent. */
const changeDeparture = async (
  { context: { lists, readModel, log }, edit, request, params }: HandlerInput,
  event: SecurityEvent,
  write: (tx: Tx, lock: PersonLock) => Promise<void>,
) => {
  const _id = await edit(async (tx, ifMatchVersion) => {
    const person = await findRecordId(tx, 'person', params.id)
    const before = await findDeparture(tx, person)
    await write(tx, { person, lockForUpdate: async () => void (await lockForUpdate(tx, 'person', person, ifMatchVersion)) })
    await recordAudit(tx, request, ...toAuditEvents(person, before, await findDeparture(tx, person)))
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
    changeDeparture({ context, ...request }, 'person_left', (tx, lock) => insertDeparture(tx, context.configuration, user, lock, body)),
  ),
  handle(deleteDeparture, async ({ user, context, ...request }) =>
    changeDeparture({ context, ...request }, 'leaving_undone', (tx, lock) => undoDeparture(tx, context.configuration, user, lock)),
  ),
]
