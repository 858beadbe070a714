import { expect } from 'vitest'

import type { AppContext } from '../../src/platform/server/app-context.ts'
import { getTable, MODEL_TABLE_NAMES } from '../../src/platform/server/read-model/tables.ts'

/** Compares each row of the read model with that of the database. */
export const expectModelOfDatabase = async ({ pool, readModel }: Pick<AppContext, 'pool' | 'readModel'>): Promise<void> => {
  await readModel.ready()
  for (const table of MODEL_TABLE_NAMES) {
    const { key, columns } = getTable(table)
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${table} as t`)
    const stored = new Map(
      rows.map(({ row }) => [String(row[key]), columns ? Object.fromEntries(columns.map((column) => [column, row[column]])) : row]),
    )
    const held = readModel.table(table)
    expect(new Map([...held.all()].map((row) => [(row as unknown as Record<string, string>)[key], row])), table).toEqual(stored)
  }
}
