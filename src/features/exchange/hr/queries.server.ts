import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import type { ResponseOf, CheckedBody } from '../../../platform/contract/call.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type findKnownStaff, MAX_EMPLOYEES, type StaffSearchResult } from './contract.ts'
import { parseSearch } from './employees.ts'
import { searchEmployees } from './source.server.ts'

/** A search that only adds to others waits no longer for the HR source. */
const OPTIONAL_SEARCH_TIMEOUT_MS = 1500

/** Employees by what was typed (D24); throws 503 where the HR source cannot be reached. */
export const findEmployees = (context: AppContext, typed: string, withEmails: boolean): Promise<StaffSearchResult[]> =>
  searchEmployees(context, parseSearch(typed, withEmails, MAX_EMPLOYEES))

/** Employees with both addresses, for a search that has others to show as well: none where the source is down or slow. */
export const findEmployeesIfAvailable = async (context: AppContext, typed: string): Promise<StaffSearchResult[]> => {
  try {
    return await searchEmployees(context, parseSearch(typed, true, MAX_EMPLOYEES), OPTIONAL_SEARCH_TIMEOUT_MS)
  } catch (error) {
    if (context.configuration.hrUrl === undefined) throw error
    context.log.warn({ err: error }, 'A search goes without the HR directory')
    return []
  }
}

/** Who of these employees is in the application: by HR number, else by one of their addresses. */
export const findKnownEmployees = async (
  db: Queryable,
  { employees }: CheckedBody<typeof findKnownStaff>,
): Promise<ResponseOf<typeof findKnownStaff>> => {
  const { rows } = await sql<ResponseOf<typeof findKnownStaff>[number]>`
    select sought."PersonID", json_build_object('_id', known._id, 'slug', known.slug, 'name', known.name) as person
    from jsonb_to_recordset(${JSON.stringify(employees)}) as sought("PersonID" text, "EmailAddress" text, "Hris_EmailAddress" text)
      cross join lateral (
        select _id, slug, name, 1 as place from person where sql_person_id = sought."PersonID"
        union all select _id, slug, name, 2 from person where lower(email) = lower(sought."EmailAddress")
        union all select _id, slug, name, 3 from person where lower(email) = lower(sought."Hris_EmailAddress")
        order by place limit 1
      ) as known
    order by sought."PersonID"`.execute(db)
  return rows
}
