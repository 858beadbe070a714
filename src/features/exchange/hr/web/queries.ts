import { useQuery } from '@tanstack/react-query'

import { useAsYouType } from '../../../../platform/web/asYouType.ts'
import { send } from '../../../../platform/web/client.ts'
import { keyOf } from '../../../../platform/web/queries.ts'
import { findKnownStaff, MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, searchStaff } from '../contract.ts'
import type { StaffSearchResult } from '../contract.ts'

/** Searches employees as the user types. A failure is shown at once, because the server has already waited for the source. */
export const useEmployees = (text: string) =>
  useAsYouType(text.trim().slice(0, MAX_QUERY_LENGTH), {
    call: searchStaff,
    least: MIN_QUERY_LENGTH,
    // Browsers remove '..' from paths. A space, which the server trims, prevents that.
    asked: (query) => ({ params: { query: query === '..' ? `${query} ` : query } }),
    triesAgain: false,
  })

/** The people already in the application, by employee number. */
export const useKnownEmployees = (found: readonly StaffSearchResult[]) => {
  const employees = found.map(({ PersonID, EmailAddress, Hris_EmailAddress }) => ({ PersonID, EmailAddress, Hris_EmailAddress }))
  return useQuery({
    queryKey: [...keyOf(findKnownStaff), employees],
    queryFn: ({ signal }) => send(findKnownStaff, { body: { employees }, signal }),
    enabled: employees.length > 0,
    select: (known) => new Map(known.map(({ PersonID, person }) => [PersonID, person])),
  })
}
