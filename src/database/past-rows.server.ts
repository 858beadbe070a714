import { type RawBuilder, sql } from 'kysely'

import type { Database } from './schema.ts'

/** A table with a history, and its primary key. */
export type TableWithHistory = Extract<keyof Database, string>

const FULL = sql`c.action in ('insert', 'update', 'delete')`

/**
 * The rows of a table just before a moment: those of today, but what the history says of a record before its first change since then. Columns that
 * the history does not know, because they are newer, are null.
 */
export const selectRowsBefore = (table: TableWithHistory, moment: Date): RawBuilder<unknown> => sql`
  select t.* from ${sql.table(table)} as t
  where not exists (select from change as c where c.record = t._id and c."table" = ${table} and c.at >= ${moment} and ${FULL})
  union all
  select t.* from (
    select distinct on (c.record) c.before from change as c where c."table" = ${table} and c.at >= ${moment} and ${FULL} order by c.record, c._id
  ) as first, jsonb_populate_record(null::${sql.table(table)}, first.before) as t
  where first.before is not null`
