import { useHasLevelFor } from '../../../platform/web/caller.ts'
import { FilterToggle } from '../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../platform/web/list/list-filter.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useIsListArchived } from './public/use-listed.ts'

/** The filter of a list that shows the archived records instead of the others, for people who archive. Turning it on clears the other filters. */
export const useArchivedFilter = (others: Readonly<Record<string, ListFilter>>): ListFilter => {
  const isOn = useIsListArchived()
  const mayArchive = useHasLevelFor('archive a record')
  const [, change] = useSearchParams()
  const all = Object.fromEntries(Object.entries(others).map(([name, { allValue }]) => [name, allValue]))
  return {
    value: isOn ? '1' : undefined,
    control:
      mayArchive || isOn ? (
        <FilterToggle label="Archived" on={isOn} onToggle={(on) => change(on ? { ...all, archived: '1' } : { archived: undefined })} />
      ) : null,
  }
}
