import { sql } from 'kysely'

import type { Db } from '../../src/database/connection.server.ts'

/** Where the words that the triggers keep of every record are not those that would be made of it anew (decision 019); changes nothing. */
export const findSearchIndexGaps = async (db: Db): Promise<string[]> => {
  const differences: string[] = []
  const copies = [
    ['search_doc', 'kind, record, role, title, names::text, words::text, rank'],
    ['search_number', 'kind, record, field, number, from_affair'],
    ['search_place', 'site, places, surroundings, open'],
  ] as const
  const rollBack = new Error('only looked')
  await db
    .transaction()
    .execute(async (tx) => {
      for (const [table, columns] of copies)
        await sql`create temp table ${sql.table(`was_${table}`)} on commit drop as select ${sql.raw(columns)} from ${sql.table(table)}`.execute(
          tx,
        )
      await sql`select search_index_everything()`.execute(tx)
      for (const [table, columns] of copies) {
        const [was, is] = [sql`select * from ${sql.table(`was_${table}`)}`, sql`select ${sql.raw(columns)} from ${sql.table(table)}`]
        const { rows } = await sql<object>`(${was} except ${is}) union all (${is} except ${was}) limit 20`.execute(tx)
        differences.push(...rows.map((row) => `search: ${JSON.stringify(row)}`))
      }
      throw rollBack
    })
    .catch((error: unknown) => {
      if (error !== rollBack) throw error
    })
  return differences
}
