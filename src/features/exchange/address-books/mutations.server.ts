import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import type { Db, Queryable, Tx } from '../../../database/connection.server.ts'
import { deleteInBatches } from '../../../database/delete-rows.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import type { AddressBook, Member } from './address-books.server.ts'

/** The recorded state of an address book, from which sync tokens are made. */
export interface BookState {
  readonly epoch: string
  readonly revision: number
  /** Tokens before this revision are too old, because what was removed then is forgotten. */
  readonly oldestRevision: number
}

interface StoredState extends BookState {
  readonly digest: Buffer | null
  readonly isMarkDue: boolean
}

const computeDigest = (members: readonly Member[]): Buffer => {
  const hash = createHash('sha256')
  for (const line of members.map(({ name, etag }) => `${name} ${etag}\n`).toSorted()) hash.update(line)
  return hash.digest()
}

const selectState = (db: Queryable, keys: readonly string[]) =>
  db
    .selectFrom('address_book')
    .select(['key', 'epoch', 'digest'])
    .select([
      sql<number>`revision::float8`.as('revision'),
      sql<number>`"oldestRevision"::float8`.as('oldestRevision'),
      sql<boolean>`"usedAt" < now() - interval '1 day'`.as('isMarkDue'),
    ])
    .where('key', 'in', keys)

/** Digests of lists of members, which are the same objects as long as nothing changes. */
const digests = new WeakMap<readonly Member[], Buffer>()
const getDigest = (members: readonly Member[]): Buffer => {
  const digest = digests.get(members) ?? computeDigest(members)
  digests.set(members, digest)
  return digest
}

/** Records are written by one request at a time, so that those of many programs do not take all connections. */
const recording = new Semaphore(1)

/**
 * The state of each address book with its present members, by key. What has changed since it was last recorded gets the next revision. Members are
 * listed again while the row is locked and everything committed is known, so that no server records an earlier state over a later one.
 */
export const recordBooks = async (context: AppContext, books: readonly AddressBook[]): Promise<ReadonlyMap<string, BookState>> => {
  if (books.length === 0) return new Map()
  const rows = await selectState(
    context.db,
    books.map(({ key }) => key),
  ).execute()
  const states = new Map<string, StoredState>(rows.map(({ key, ...state }) => [key, state]))
  for (const book of books) {
    const stored = states.get(book.key)
    if (!stored || stored.digest?.equals(getDigest(await book.listMembers())) !== true)
      states.set(book.key, await recording.run(() => recordBook(context, book)))
    else if (stored.isMarkDue) await markBookUsed(context.db, book.key)
  }
  return states
}

const recordBook = ({ db, lists }: AppContext, book: AddressBook): Promise<StoredState> =>
  db.transaction().execute(async (tx) => {
    await tx
      .insertInto('address_book')
      .values({ key: book.key, digest: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const stored = await selectState(tx, [book.key]).forUpdate().executeTakeFirstOrThrow()
    await lists.catchUp()
    const members = await book.listMembers()
    const digest = getDigest(members)
    if (stored.digest?.equals(digest) === true) return stored
    const revision = stored.revision + 1
    await writeMembers(tx, book.key, revision, members)
    await sql`update address_book set revision = ${revision}, digest = ${digest}, "usedAt" = now() where key = ${book.key}`.execute(tx)
    return { ...stored, revision, digest }
  })

/** Writes only the rows that differ. */
const writeMembers = async (tx: Tx, key: string, revision: number, members: readonly Member[]): Promise<void> => {
  const names = members.map(({ name }) => name)
  const etags = members.map(({ etag }) => etag)
  const now = sql`unnest(${names}::text[], ${etags}::text[]) as now (name, etag)`
  await sql`insert into address_book_member as member (book, name, etag, revision)
    select ${key}, now.name, now.etag, ${revision} from ${now}
      left join address_book_member as known on known.book = ${key} and known.name = now.name
      where known.etag is distinct from now.etag
    on conflict (book, name) do update set etag = excluded.etag, revision = excluded.revision, "removedAt" = null`.execute(tx)
  await sql`update address_book_member as member set etag = null, revision = ${revision}, "removedAt" = now()
    where book = ${key} and etag is not null and not exists (select from ${now} where now.name = member.name)`.execute(tx)
}

const markBookUsed = (db: Db, key: string): Promise<unknown> =>
  sql`update address_book set "usedAt" = now() where key = ${key}`.execute(db).catch(() => undefined)

/** How long removed members are remembered; a program that was away for longer reads everything again. */
const REMEMBERED_DAYS = 90
const isOld = (column: string): RawBuilder<boolean> => sql`${sql.ref(column)} < now() - make_interval(days => ${REMEMBERED_DAYS})`

/** Forgets members that were removed long ago, and address books that no program has read for as long. */
export const deleteOldBookStates = async (db: Db): Promise<void> => {
  await sql`update address_book set "oldestRevision" = old.revision
    from (select book, max(revision) as revision from address_book_member where ${isOld('removedAt')} group by book) as old
    where address_book.key = old.book and address_book."oldestRevision" < old.revision`.execute(db)
  await deleteInBatches(
    db,
    'address_book_member',
    sql<boolean>`"removedAt" is not null and revision <= (select "oldestRevision" from address_book where key = book)`,
  )
  await deleteInBatches(db, 'address_book', isOld('usedAt'), 1)
}
