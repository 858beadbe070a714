import { IconSearchOff } from '@tabler/icons-react'

import { formatDaysAgo } from '../../../../contract/dates.ts'
import { formatNumber } from '../../../../contract/format.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { openPalette } from '../../../../platform/web/palette.ts'
import { useFailedSearches } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './FailedSearchesPage.module.css'

/** `/searches`: searches without results, for administrators who can add what is missing. */
export const FailedSearchesPage = () => {
  const query = useFailedSearches()
  const times = query.data?.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <ListHead
        title="Searches Without Results"
        summary={
          query.data &&
          `${formatNumber(query.data.length)} ${query.data.length === 1 ? 'search' : 'searches'}, ${formatNumber(times ?? 0)} times in the last 90 days`
        }
        failed={query.isError}
      />
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(failedSearches) =>
          failedSearches.length === 0 ? (
            <EmptyState icon={IconSearchOff} title="No searches to display">
              <p>Every search in the last 90 days had results.</p>
            </EmptyState>
          ) : (
            <table
              className={`${layoutClasses.fullWidth} ${layoutClasses.narrowPage} ${textClasses.smallFont} ${classes.table}`}
              aria-label="Searches Without Results"
            >
              <thead>
                <tr>
                  <th scope="col">Searched for</th>
                  <th scope="col" className={classes.number}>
                    Times
                  </th>
                  <th scope="col">Last</th>
                </tr>
              </thead>
              <tbody>
                {failedSearches.map(({ query: text, count, lastAt }) => (
                  <tr key={text}>
                    <th scope="row">
                      <TextButton isName onClick={() => openPalette(text)} title="Search for this now">
                        {text}
                      </TextButton>
                    </th>
                    <td className={classes.number}>{formatNumber(count)}</td>
                    <td>{formatDaysAgo(lastAt, configuration.timeZone)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </LoadedList>
    </>
  )
}
