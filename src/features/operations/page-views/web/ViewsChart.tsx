import { formatDay } from '../../../../contract/dates.ts'
import { formatNumber } from '../../../../contract/format.ts'
import { BarChart } from '../../../../platform/web/kit/BarChart.tsx'
import type { Usage } from '../contract.ts'
import { roundUpForAxis } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ViewsChart.module.css'

const LABELED_DAYS = 4

interface ViewsChartProps {
  days: Usage['days']
  /** Views of each day: of all pages, or of one. */
  views: readonly number[]
  name: string
  /** Whether visitors per day are known, which is only the case for all pages together. */
  hasPeople: boolean
}

/** Views per day as a chart and as a table. */
export const ViewsChart = ({ days, views, name, hasPeople }: ViewsChartProps) => {
  const top = roundUpForAxis(Math.max(...views, 0))
  const most = views.indexOf(Math.max(...views))
  const dayAt = (at: number): string => formatDay(days[at]?.day ?? '')
  const all = views.reduce((sum, count) => sum + count, 0)
  const named = Array.from({ length: LABELED_DAYS }, (_, at) => dayAt(Math.round((at * (days.length - 1)) / (LABELED_DAYS - 1))))
  const titles = views.map((count, at) => {
    const people = hasPeople ? `, ${formatNumber(days[at]?.visitors ?? 0)} people` : ''
    return `${dayAt(at)}: ${formatNumber(count)} views${people}`
  })
  return (
    <figure>
      <div className={classes.chart}>
        <div className={`${layoutClasses.vertical} ${textClasses.dimmed} ${textClasses.figures} ${classes.scale}`} aria-hidden>
          <span>{formatNumber(top)}</span>
          <span>{top > 1 ? formatNumber(top / 2) : ''}</span>
          <span>0</span>
        </div>
        <div className={classes.plot}>
          <BarChart
            values={views}
            max={top}
            titles={titles}
            label={`${name}: ${formatNumber(all)} views from ${dayAt(0)} to ${dayAt(days.length - 1)}, most on ${dayAt(most)} with ${formatNumber(views[most] ?? 0)}`}
          />
        </div>
        <div className={`${textClasses.dimmed} ${textClasses.figures} ${layoutClasses.spaceBetween} ${classes.days}`} aria-hidden>
          {named.map((one, at) => (
            <span key={at}>{one}</span>
          ))}
        </div>
      </div>
      <details className={`${textClasses.note} ${layoutClasses.topMargin12} ${classes.more}`}>
        <summary>Show as a table</summary>
        <table
          className={`${layoutClasses.fullWidth} ${textClasses.figures} ${textClasses.textColor} ${classes.table}`}
          aria-label={`${name} by day`}
        >
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Views</th>
              {hasPeople ? <th scope="col">People</th> : null}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, visitors }, at) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td>{formatNumber(views[at] ?? 0)}</td>
                {hasPeople ? <td>{formatNumber(visitors)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
