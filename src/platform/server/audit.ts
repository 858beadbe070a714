import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'

import type { AuditKind } from '../../contract/audit.ts'
import { memoize } from '../../contract/memoize.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { AppContext } from './app-context.ts'
import { getAddressKey } from './client-address.ts'
import { MinuteCounter } from './minute-counter.ts'

/** Who does something, and from where. */
export interface AuditActor {
  readonly account: string | null
  /** The work email address. */
  readonly actor: string | null
  readonly name: string | null
  /** The name of the API token or SCIM token. */
  readonly token: string | null
  /** The network address. */
  readonly address: string | null
  readonly request: string | null
}

/** What happened. `before` and `after` hold values that everyone at level 1 may read, and never a secret or its hash. */
export interface NewAuditEvent {
  readonly kind: AuditKind
  /** The `_id` of the record that the event is about. */
  readonly record?: string | null
  readonly before?: object | null
  readonly after?: object | null
}

/** The network addresses of requests: once a connection is closed, its address can no longer be read. */
const addresses = new WeakMap<FastifyRequest, string>()

/** Stores the network address of a request that may outlive its connection. */
export const rememberAddress = (request: FastifyRequest): void => void addresses.set(request, request.ip)

/** The sender of a request; fields of `known` override those of the request, as for a sign-in. */
export const getAuditActor = (request: FastifyRequest, known: Partial<AuditActor> = {}): AuditActor => ({
  account: request.signedIn?.account ?? null,
  actor: request.signedIn?.azureID ?? null,
  name: request.signedIn?.name ?? null,
  token: request.signedIn?.token ?? null,
  address: formatAddress(addresses.get(request) ?? request.ip),
  request: request.id,
  ...known,
})

const MAX_ADDRESS_LENGTH = 60
/** Without the prefix of an IPv4-mapped address, and truncated, because a proxy may send any text. */
const formatAddress = (address: string | undefined): string | null =>
  address?.replace(/^::ffff:(?=\d+\.)/, '').slice(0, MAX_ADDRESS_LENGTH) ?? null

/** An actor without a request: a command, or the server itself. */
export const getSystemActor = (name: string): AuditActor => ({
  account: null,
  actor: null,
  name,
  token: null,
  address: null,
  request: null,
})

const MAX_TEXT_LENGTH = 2000
const toStorableText = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, MAX_TEXT_LENGTH)
/** Rows are kept for years, so for longer values only the size is recorded. */
const MAX_VALUES_LENGTH = 100_000

const toJson = (values: object | null | undefined): string | null => {
  if (values === null || values === undefined) return null
  const json = JSON.stringify(values, (_key, value: unknown) => (typeof value === 'string' ? toStorableText(value) : value))
  return json.length <= MAX_VALUES_LENGTH ? json : JSON.stringify({ omitted: `${json.length} characters` })
}

const toText = (text: string | null): string | null => (text === null ? null : toStorableText(text))

/**
 * Records events in the given order. Call it inside the transaction that makes the change, so that neither is stored without the other; events that
 * change nothing, such as a failed sign-in, need no transaction. Saves of records are not recorded here, because the history has them.
 */
export const recordAudit = async (db: Queryable, by: FastifyRequest | AuditActor, ...events: readonly NewAuditEvent[]): Promise<void> => {
  if (events.length === 0) return
  const { account, actor, name, token, address, request } = 'signedIn' in by ? getAuditActor(by) : by
  const who = { account, actor: toText(actor), name: toText(name), token: toText(token), address, request }
  await db
    .insertInto('audit_event')
    .values(
      events.map(({ kind, record = null, before, after }) => ({ ...who, kind, record, before: toJson(before), after: toJson(after) })),
    )
    .execute()
}

/** A change of settings, with the values that differ; an empty list if none do. */
export const toSettingsEvents = (settings: string, before: object, after: object): NewAuditEvent[] => {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const isChanged = (name: string): boolean => JSON.stringify(old.get(name)) !== JSON.stringify(current.get(name))
  const names = [...new Set([...old.keys(), ...current.keys()])].filter((name) => isChanged(name) && !MAINTAINED_FIELDS.has(name))
  if (names.length === 0) return []
  const pick = (values: ReadonlyMap<string, unknown>) => Object.fromEntries(names.map((name) => [name, values.get(name) ?? null]))
  return [{ kind: 'settings.changed', record: settings, before: pick(old), after: pick(current) }]
}
/** Fields that every save updates automatically. */
const MAINTAINED_FIELDS = new Set(['version', 'updatedAt', 'updatedBy'])

/** Pending writes that no response waits for, by server: readers of the audit trail wait for them. */
const getPendingWrites = memoize((_pool: Pool) => new Set<Promise<void>>())

export const waitForAuditWrites = async (context: AppContext): Promise<void> => {
  await Promise.all(getPendingWrites(context.pool))
}

/**
 * Records something that has already happened and cannot be undone. If `write` fails, for example because the database is read-only, the event is
 * logged as an error and the request continues.
 */
export const recordAuditOrLog = (
  context: AppContext,
  by: FastifyRequest | AuditActor,
  event: NewAuditEvent,
  write: (db: Queryable) => Promise<void> = (db) => recordAudit(db, by, event),
): Promise<void> => {
  const pending = getPendingWrites(context.pool)
  const writing = write(context.db)
    .catch((err: unknown) => {
      const who = 'signedIn' in by ? getAuditActor(by) : by
      context.log.error({ err, audit: { ...who, ...event } }, 'An event could not be written into the audit trail')
    })
    .finally(() => pending.delete(writing))
  pending.add(writing)
  return writing
}

const MAX_COUNTED_KEYS = 10_000
const getCounter = memoize((_pool: Pool) => new MinuteCounter(MAX_COUNTED_KEYS))
const countThisMinute = (context: AppContext, key: string): number => getCounter(context.pool).add(key)

type Reader = FastifyRequest | AuditActor

/** Records a read once a minute per person, token and record, since a page reads the same record several times. */
export const recordRead = async (context: AppContext, by: Reader, event: NewAuditEvent): Promise<void> => {
  const { account, token } = 'signedIn' in by ? getAuditActor(by) : by
  const key = JSON.stringify([event.kind, account, token, event.record, event.after])
  if (countThisMinute(context, key) === 1) await recordAuditOrLog(context, by, event)
}

/** Records a read of charter affairs: of one charter (`record`), or of what `what` describes. */
export const recordAffairRead = (context: AppContext, by: Reader, what: string, record: string | null = null): Promise<void> => {
  const charter = record === null ? {} : { charter: findCharterName(context, record) }
  return recordRead(context, by, { kind: 'charter_affair.read', record, after: { ...charter, what } })
}

const findCharterName = ({ readModel }: AppContext, _id: string): string | null => readModel.table('charter').get(_id)?.name ?? null

/** For more charters only the number is recorded. */
const MAX_NAMED_CHARTERS = 50

/** Records that parts of charter affairs were read as part of something else, such as a list of deadlines; does nothing if there were none. */
export const recordAffairPartsRead = async (
  context: AppContext,
  by: Reader,
  what: string,
  charters: Iterable<string | null | undefined>,
): Promise<void> => {
  const ids = [...new Set(charters)].filter((one) => one !== null && one !== undefined)
  const [only] = ids
  if (only === undefined) return
  if (ids.length === 1) return recordAffairRead(context, by, what, only)
  const named = ids.length > MAX_NAMED_CHARTERS ? ids.length : ids.map((_id) => findCharterName(context, _id)).toSorted()
  await recordRead(context, by, { kind: 'charter_affair.read', after: { what, charters: named } })
}

/** Failures recorded per minute for one network address and in total; the log has all of them. */
const MAX_FAILURES_OF_ADDRESS = 30
const MAX_FAILURES = 600

/** Records a failed attempt by an unauthenticated caller, up to a limit per minute, so that an attack does not fill the table. */
export const recordFailure = async (
  context: AppContext,
  request: FastifyRequest,
  event: NewAuditEvent,
  by: Partial<AuditActor>,
): Promise<void> => {
  const isWithinLimits =
    countThisMinute(context, `${event.kind} ${getAddressKey(request.ip)}`) <= MAX_FAILURES_OF_ADDRESS &&
    countThisMinute(context, event.kind) <= MAX_FAILURES
  if (isWithinLimits) await recordAuditOrLog(context, getAuditActor(request, by), event)
}
