import { sql } from 'kysely'

import type { ResponseOf, CheckedBody } from '../../contract/call.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { type findKnownStaff, MAX_EMPLOYEES, type StaffSearchResult } from './contract.ts'
import { parseEmployeeSearch } from './employees.ts'
import { searchEmployees } from './source.server.ts'

/** The timeout of a search that shows other results too. */
const OPTIONAL_SEARCH_TIMEOUT_MS = 1500

/** Throws 503 if the HR source cannot be reached. */
export const findEmployees = (context: AppContext, text: string, withEmails: boolean): Promise<StaffSearchResult[]> =>
  searchEmployees(context, parseEmployeeSearch(text, withEmails, MAX_EMPLOYEES))

/** Employees with both email addresses; none if the source is down or slow. For a search that shows other results too. */
export const findEmployeesIfAvailable = async (context: AppContext, text: string): Promise<StaffSearchResult[]> => {
  try {
    return await searchEmployees(context, parseEmployeeSearch(text, true, MAX_EMPLOYEES), OPTIONAL_SEARCH_TIMEOUT_MS)
  } catch (error) {
    if (context.configuration.hrUrl === undefined) throw error
    context.log.warn({ err: error }, 'The HR directory was left out of a search')
    return []
  }
}

/** Which of these employees are in the application, by HR number, otherwise by one of their email addresses. */
export const findKnownEmployees = async (
  db: Queryable,
  { employees }: CheckedBody<typeof findKnownStaff>,
): Promise<ResponseOf<typeof findKnownStaff>> => {
  const { rows } = await sql<ResponseOf<typeof findKnownStaff>[number]>`
    select given."PersonID", json_build_object('_id', matching._id, 'slug', matching.slug, 'name', matching.name) as person
    from jsonb_to_recordset(${JSON.stringify(employees)}) as given("PersonID" text, "EmailAddress" text, "Hris_EmailAddress" text)
      cross join lateral (
        select _id, slug, name, 1 as rank from person where "archivedAt" is null and sql_person_id = given."PersonID"
        union all select _id, slug, name, 2 from person where "archivedAt" is null and lower(email) = lower(given."EmailAddress")
        union all select _id, slug, name, 3 from person where "archivedAt" is null and lower(email) = lower(given."Hris_EmailAddress")
        order by rank limit 1
      ) as matching
    order by given."PersonID"`.execute(db)
  return rows
}
