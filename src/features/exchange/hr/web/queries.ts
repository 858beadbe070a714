import { useQuery } from '@tanstack/react-query'

import { useAsYouType } from '../../../../platform/web/asYouType.ts'
import { send } from '../../../../platform/web/client.ts'
import { keyOf } from '../../../../platform/web/queries.ts'
import { findKnownStaff, MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, searchStaff } from '../contract.ts'
import type { StaffSearchResult } from '../contract.ts'

/** Employees by what is typed. A source that is down has been waited for by the server already: that is told at once. */
export const useEmployees = (text: string) =>
  useAsYouType(text.trim().slice(0, MAX_QUERY_LENGTH), {
    call: searchStaff,
    least: MIN_QUERY_LENGTH,
    // A browser takes a path of two dots away; with a blank, which the server leaves out again, it does not.
    asked: (query) => ({ params: { query: query === '..' ? `${query} ` : query } }),
    triesAgain: false,
  })

/** Who of them is in the application already, by their number. */
export const useKnownEmployees = (found: readonly StaffSearchResult[]) => {
  const employees = found.map(({ PersonID, EmailAddress, Hris_EmailAddress }) => ({ PersonID, EmailAddress, Hris_EmailAddress }))
  return useQuery({
    queryKey: [...keyOf(findKnownStaff), employees],
    queryFn: ({ signal }) => send(findKnownStaff, { body: { employees }, signal }),
    enabled: employees.length > 0,
    select: (known) => new Map(known.map(({ PersonID, person }) => [PersonID, person])),
  })
}
