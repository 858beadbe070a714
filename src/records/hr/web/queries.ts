import { useQuery } from '@tanstack/react-query'

import { send } from '../../../platform/web/client.ts'
import { getQueryKey } from '../../../platform/web/queries.ts'
import { useSearchAsYouType } from '../../../platform/web/use-search-as-you-type.ts'
import { findKnownStaff, MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, searchStaff } from '../contract.ts'
import type { StaffSearchResult } from '../contract.ts'

/** Searches employees as the user types. A failure is shown immediately, because the server has already waited for the source. */
export const useEmployees = (text: string) =>
  useSearchAsYouType(text.trim().slice(0, MAX_QUERY_LENGTH), {
    call: searchStaff,
    minLength: MIN_QUERY_LENGTH,
    // Browsers normalize '..' in paths. A space, which the server trims, prevents that.
    toRequest: (query) => ({ params: { query: query === '..' ? `${query} ` : query } }),
    canRetry: false,
  })

/** The people already in the application, by employee number. */
export const useKnownEmployees = (found: readonly StaffSearchResult[]) => {
  const employees = found.map(({ PersonID, EmailAddress, Hris_EmailAddress }) => ({ PersonID, EmailAddress, Hris_EmailAddress }))
  return useQuery({
    queryKey: [...getQueryKey(findKnownStaff), employees],
    queryFn: ({ signal }) => send(findKnownStaff, { body: { employees }, signal }),
    enabled: employees.length > 0,
    select: (known) => new Map(known.map(({ PersonID, person }) => [PersonID, person])),
  })
}
