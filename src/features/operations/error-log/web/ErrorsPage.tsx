import { IconBugOff } from '@tabler/icons-react'

import { formatNumber } from '../../../../contract/format.ts'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Chips, FilterChoice, Filters, FilterToggle, MatchCount, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useMatchingRecords, useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { ErrorGroup } from '../contract.ts'
import { ErrorRow } from './ErrorRow.tsx'
import { useErrors } from './queries.ts'

const DEFAULT_DAYS = 30
const OTHER_PERIODS = ['7 days', '90 days'] as const

const NO_ERRORS: readonly ErrorGroup[] = []
const getSearchTexts = ({ errorName, errorMessage, errorLocation, context }: ErrorGroup) => [
  errorName,
  errorMessage,
  errorLocation,
  context,
]
const formatSummary = (groups: readonly ErrorGroup[], days: number): string => {
  const times = groups.reduce((sum, { count }) => sum + count, 0)
  return `${formatNumber(groups.length)} different ${groups.length === 1 ? 'error' : 'errors'}, ${formatNumber(times)} ${times === 1 ? 'occurrence' : 'occurrences'} in the last ${days} days`
}

/** `/errors`: errors of browsers and the server in groups, latest first. */
export const ErrorsPage = () => {
  const [{ days: requestedDays, aside, open }, change] = useSearchParams()
  const length = OTHER_PERIODS.find((one) => one === `${requestedDays ?? ''} days`)
  const days = length ? Number.parseInt(length, 10) : DEFAULT_DAYS
  const query = useErrors(days)
  const typed = useListSearch()
  const found = useMatchingRecords(query.data ?? NO_ERRORS, getSearchTexts, typed.deferredText)
  const shown = found.filter(({ seen, fingerprint }) => aside === '1' || !seen || fingerprint === open)
  const dismissedCount = found.length - shown.length
  return (
    <>
      <ListHead title="Error Log" summary={query.data && formatSummary(query.data, days)} failed={query.isError} />
      <Filters>
        <SearchField label="Search by message, name or location" typed={typed} />
        <Chips label="Filters">
          <FilterChoice
            label="Time"
            all={`${DEFAULT_DAYS} days`}
            choices={OTHER_PERIODS}
            chosen={length}
            onChoose={(chosen) => change({ days: chosen && String(Number.parseInt(chosen, 10)) })}
          />
          <FilterToggle label="Include dismissed" on={aside === '1'} onToggle={(on) => change({ aside: on ? '1' : undefined })} />
        </Chips>
      </Filters>
      <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(all) =>
          shown.length > 0 ? (
            <ul aria-label="Errors">
              {shown.map((group) => (
                <ErrorRow
                  key={group.fingerprint}
                  group={group}
                  isOpen={open === group.fingerprint}
                  onToggle={(isOpen) => change({ open: isOpen ? group.fingerprint : undefined })}
                />
              ))}
            </ul>
          ) : (
            <EmptyState icon={IconBugOff} title="No errors to display">
              <p>{formatEmptyReason(all.length, dismissedCount, days)}</p>
            </EmptyState>
          )
        }
      </LoadedList>
    </>
  )
}

const formatEmptyReason = (all: number, dismissedCount: number, days: number): string => {
  if (all === 0) return `There were no errors in the last ${days} days.`
  if (dismissedCount > 0)
    return `${formatNumber(dismissedCount)} dismissed until ${dismissedCount === 1 ? 'it happens' : 'they happen'} again.`
  return 'No errors match your search.'
}
