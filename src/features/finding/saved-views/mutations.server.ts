import { sql } from 'kysely'

import { notFound, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { SavedView } from './contract.ts'
import { MAX_VIEWS, getView, toUuid } from './queries.server.ts'

const assertNameFree = async (tx: Tx, account: string, page: string, name: string, except?: string): Promise<void> => {
  const taken = await tx
    .selectFrom('saved_view')
    .select('_id')
    .where('account', '=', account)
    .where('page', '=', page)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .$if(except !== undefined, (query) => query.where('_id', '!=', except ?? ''))
    .executeTakeFirst()
  if (!taken) return
  const message = 'You already have a view of this list with that name.'
  throw new Problem(409, 'This name is already in use', { detail: message, errors: [{ path: 'name', message }] })
}

/** Locks the account's row, so that two concurrent saves cannot use the same name or exceed the limit. */
const lockAccount = (tx: Tx, account: string) => tx.selectFrom('account').select('_id').where('_id', '=', account).forUpdate().execute()

const stripQuestionMark = (search: string): string => search.replace(/^\?/, '')

export const insertSavedView = async (
  tx: Tx,
  account: string,
  { name, page, search }: { name: string; page: string; search: string },
): Promise<SavedView> => {
  await lockAccount(tx, account)
  await assertNameFree(tx, account, page, name)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from saved_view where account = ${account}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= MAX_VIEWS) throw new Problem(409, `You already have ${MAX_VIEWS} views. Delete one first`)
  const { _id } = await tx
    .insertInto('saved_view')
    .values({ account, name, page, search: stripQuestionMark(search) })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return getView(tx, account, _id)
}

export const updateView = async (
  tx: Tx,
  account: string,
  id: string,
  { name, search }: { name?: string; search?: string },
): Promise<SavedView> => {
  await lockAccount(tx, account)
  const view = await tx
    .selectFrom('saved_view')
    .select(['_id', 'page'])
    .where('account', '=', account)
    .where('_id', '=', toUuid(id))
    .executeTakeFirst()
  if (!view) throw notFound('View')
  if (name !== undefined) await assertNameFree(tx, account, view.page, name, view._id)
  if (name !== undefined || search !== undefined) {
    await tx
      .updateTable('saved_view')
      .set({ ...(name === undefined ? {} : { name }), ...(search === undefined ? {} : { search: stripQuestionMark(search) }) })
      .where('_id', '=', view._id)
      .execute()
  }
  return getView(tx, account, view._id)
}

/** Shares a view of the account, or stops sharing anyone's. */
export const updateShared = async (db: Queryable, account: string, id: string, shared: boolean): Promise<SavedView> => {
  const changed = await db
    .updateTable('saved_view')
    .set({ shared })
    .where('_id', '=', toUuid(id))
    .where(({ eb, or }) => or([eb('account', '=', account), ...(shared ? [] : [eb('shared', '=', true)])]))
    .returning('_id')
    .executeTakeFirst()
  if (!changed) throw notFound('View')
  return getView(db, account, changed._id)
}

export const deleteViewRow = async (db: Queryable, account: string, id: string): Promise<void> => {
  const dropped = await db
    .deleteFrom('saved_view')
    .where('account', '=', account)
    .where('_id', '=', toUuid(id))
    .returning('_id')
    .executeTakeFirst()
  if (!dropped) throw notFound('View')
}
