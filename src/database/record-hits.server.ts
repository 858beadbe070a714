import { sql } from 'kysely'

import type { RecordHit, RecordKind } from '../contract/records.ts'
import type { Queryable } from './connection.server.ts'

/** Records of any kind in the given order, one line each; records that no longer exist are left out. */
export const listRecordHits = async (
  db: Queryable,
  records: readonly { readonly kind: RecordKind; readonly record: string }[],
): Promise<RecordHit[]> => {
  if (records.length === 0) return []
  const { rows } = await sql<{ hit: RecordHit | null }>`
    select record_hit(requested.kind, requested.record, null, '{}') as hit
    from unnest(${records.map(({ kind }) => kind)}::text[], ${records.map(({ record }) => record)}::text[])
      with ordinality as requested(kind, record, position)
    order by requested.position`.execute(db)
  return rows.flatMap(({ hit }) => (hit === null ? [] : [hit]))
}
