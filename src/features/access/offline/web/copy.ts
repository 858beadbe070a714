import { formatCount } from '../../../../contract/format.ts'
import { RECORD_KINDS, RECORD_NOUNS } from '../../../../contract/records.ts'
import { session } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { readTables, writeTables } from '../../../../platform/web/offline-storage.ts'
import { expireCopy, getCopy, noteConnection, removeCopy, setCopy } from '../../../../platform/web/offline.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { deleteCopy, type OfflineChanges, readOffline } from '../contract.ts'

type Tables = Map<string, readonly Readonly<Record<string, unknown>>[]>

/** The key of a row: parts that every record has carry the key of their record. */
const getKey = (row: Readonly<Record<string, unknown>>): unknown => row['_id'] ?? row['site']

const applyChanges = async ({ isWhole, rows, removed }: OfflineChanges): Promise<Tables> => {
  const tables: Tables = isWhole ? new Map() : await readTables()
  const changed: Tables = new Map()
  for (const name of new Set([...Object.keys(rows), ...Object.keys(removed)])) {
    const own = new Map(tables.get(name)?.map((row) => [getKey(row), row]))
    for (const row of rows[name] ?? []) own.set(getKey(row), row)
    for (const key of removed[name] ?? []) own.delete(key)
    changed.set(name, [...own.values()])
  }
  if (isWhole || changed.size > 0) await writeTables(changed, isWhole)
  return new Map([...tables, ...changed])
}

/** '300 sites, 2,164 people': the kinds of which most records are looked up. */
const describeContents = (tables: Tables): string =>
  RECORD_KINDS.slice(0, 2)
    .toReversed()
    .map((kind) => formatCount(tables.get(kind)?.length ?? 0, RECORD_NOUNS[kind]))
    .join(', ')

const load = async (since: string | undefined): Promise<void> => {
  const token = readToken()
  const current = session.get()
  if (token === null || current.state !== 'signed in') return
  const { user } = current
  const changes = await send(readOffline, { query: since === undefined ? {} : { since } })
  // Another copy may have ended, or another person may have signed in, in the meantime.
  if (readToken() !== token || (since !== undefined && getCopy() === null)) return
  if (changes.accessLevel !== user.accessLevel) return endCopy()
  const tables = await applyChanges(changes)
  noteConnection(false)
  const contents = describeContents(tables)
  setCopy({ user, token, since: changes.token, confirmedAt: new Date().toISOString(), days: changes.days, contents })
}

/** Keeps the directory on this device from now on. */
export const startCopy = async (): Promise<void> => {
  removeCopy()
  await load(undefined)
}

let updates: Promise<void> = Promise.resolve()
/** Brings the copy up to date, one update after the other. */
export const updateCopy = (): Promise<void> => {
  const update = async (): Promise<void> => {
    expireCopy()
    const held = getCopy()
    if (held !== null) await load(held.since)
  }
  return (updates = updates.catch(() => undefined).then(update))
}

/** Removes the directory from this device, and says so to the server if it can be reached. */
export const endCopy = async (): Promise<void> => {
  removeCopy()
  await send(deleteCopy).catch(() => undefined) // nothing is on the device in any case
}
