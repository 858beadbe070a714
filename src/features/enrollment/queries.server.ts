import type { Queryable } from '../../database/connection.server.ts'

/** Program types, by name. */
export const programTypes = (db: Queryable) => db.selectFrom('program_type').select(['_id', 'name']).orderBy('name')
