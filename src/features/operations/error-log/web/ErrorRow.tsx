import { formatDaysAgo, toIsoDay, formatDay, formatMomentTime, DAY_MS } from '../../../../contract/dates.ts'
import { formatNumber } from '../../../../contract/format.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { BarChart } from '../../../../platform/web/kit/BarChart.tsx'
import { ExpandableRow } from '../../../../platform/web/kit/ExpandableRow.tsx'
import type { ErrorGroup } from '../contract.ts'
import { ErrorDetails } from './ErrorDetails.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ErrorRow.module.css'

/** The last days, ending today. */
const getLastDays = (length: number): string[] => {
  const today = Date.parse(toIsoDay(new Date(), configuration.timeZone))
  return Array.from({ length }, (_, at) => formatDay(new Date(today - (length - 1 - at) * DAY_MS).toISOString().slice(0, 10)))
}

const DailyChart = ({ daily }: { daily: readonly number[] }) => {
  const days = getLastDays(daily.length)
  const all = daily.reduce((sum, count) => sum + count, 0)
  return (
    <span className={classes.picture}>
      <BarChart
        values={daily}
        label={`${formatNumber(all)} in the last ${daily.length} days`}
        titles={daily.map((count, at) => `${days[at]}: ${formatNumber(count)}`)}
      />
    </span>
  )
}

interface ErrorRowProps {
  group: ErrorGroup
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** A group of errors, which expands to show the last of them. */
export const ErrorRow = ({ group, isOpen, onToggle }: ErrorRowProps) => {
  const { errorName, errorMessage, errorLocation, context, count, people, lastAt, daily, seen } = group
  return (
    <ExpandableRow
      isOpen={isOpen}
      onToggle={onToggle}
      label={
        <span className={`${textClasses.twoLines} ${classes.message}`} data-seen={seen || undefined}>
          {errorMessage ?? errorName ?? 'No message'}
        </span>
      }
      headClassName={classes.head}
      head={
        <>
          <p className={`${textClasses.caption} ${layoutClasses.breakable} ${textClasses.smallLines} ${classes.location}`}>
            <span className={classes.side} data-server={context === 'server' || undefined}>
              {context === 'server' ? 'Server' : 'Browser'}
            </span>
            {[errorName, errorLocation].filter(Boolean).join(' at ')} {seen ? <span className={classes.aside}>Dismissed</span> : null}
          </p>
          <DailyChart daily={daily} />
          <p className={`${textClasses.small} ${classes.times}`}>
            <strong>{formatNumber(count)}</strong> {count === 1 ? 'time' : 'times'}
            <span>{people === 0 ? 'not signed in' : people === 1 ? '1 person' : `${formatNumber(people)} people`}</span>
          </p>
          <p className={`${textClasses.small} ${classes.last}`}>
            {formatDaysAgo(lastAt, configuration.timeZone)}
            <span>{formatMomentTime(lastAt, configuration.timeZone)}</span>
          </p>
        </>
      }
    >
      <ErrorDetails group={group} />
    </ExpandableRow>
  )
}
