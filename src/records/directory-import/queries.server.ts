import { sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { toIsoTimestamp } from '../../database/json.server.ts'
import { isImportActor } from '../../platform/server/import-actor.ts'

const MAX_ASKED = 20_000
type Author = { readonly by: string | null; readonly at: string }

/** Who saved values last, by index, where it was not an import, or the undoing of one. */
export const findLastAuthors = async (
  db: Queryable,
  asked: readonly { readonly table: string; readonly record: string; readonly column: string }[],
): Promise<Map<number, Author>> => {
  const authors = new Map<number, Author>()
  for (let from = 0; from < asked.length; from += MAX_ASKED) {
    const requested = asked.slice(from, from + MAX_ASKED).map(({ table, record, column }, n) => ({ n: from + n, table, record, column }))
    const { rows } = await sql<{ n: number; actor: string | null; actorName: string | null; at: string; isImport: boolean }>`
      select requested.n, last.actor, last."actorName", ${toIsoTimestamp(sql<Date>`last.at`)} as at, exists (
        select from changeset as own left join changeset as undone on undone._id = own.undoes
        where own._id = last.changeset and 'import' in (own.kind, undone.kind)) as "isImport"
      from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) as requested(n integer, "table" text, record text, "column" text)
      cross join lateral (
        select actor, "actorName", at, changeset from change
        where change.record = requested.record and change."table" = requested."table"
          and (change.before is null or change.before -> requested."column" is distinct from change.after -> requested."column")
        order by change._id desc limit 1
      ) as last`.execute(db)
    for (const { n, actor, actorName, at, isImport } of rows)
      if (!isImport && !isImportActor(actor, actorName)) authors.set(n, { by: actorName, at })
  }
  return authors
}

export const findBrand = async (db: Queryable, brandName: string): Promise<string | undefined> => {
  const found = await db
    .selectFrom('brand')
    .select('_id')
    .where('archivedAt', 'is', null)
    .where(sql`lower(btrim("brandName"))`, '=', sql<string>`lower(${brandName})`)
    .orderBy(sql`"brandName" = ${brandName}`, 'desc')
    .orderBy('_id')
    .executeTakeFirst()
  return found?._id
}

/** Slugs in use and former slugs, which still work in links; in lower case. */
export const listTakenSlugs = async (db: Queryable, table: 'brand' | 'charter' | 'site' | 'person'): Promise<Set<string>> => {
  const { rows } = await sql<{ slug: string }>`
    select lower(slug) as slug from ${sql.table(table)}
    union all select lower(slug) from former_slug where "table" = ${table}`.execute(db)
  return new Set(rows.map((row) => row.slug))
}
