import { showDay } from '../../../../platform/contract/dates.ts'
import { Bars } from '../../../../platform/web/kit/Bars.tsx'
import type { Usage } from '../contract.ts'
import { topOf } from '../rules.ts'

import classes from './ViewsChart.module.css'

const show = (count: number): string => count.toLocaleString('en-US')
/** Days that are named under the picture. */
const NAMED = 4

interface ViewsChartProps {
  days: Usage['days']
  /** Views of each day: of all pages, or of one. */
  views: readonly number[]
  /** What they are views of. */
  name: string
  /** Whether the people of each day are known: they are, of all pages together. */
  hasPeople: boolean
}

/** Views day by day as a picture, and as a table for whoever would rather read it. */
export const ViewsChart = ({ days, views, name, hasPeople }: ViewsChartProps) => {
  const top = topOf(Math.max(...views, 0))
  const most = views.indexOf(Math.max(...views))
  const dayAt = (at: number): string => showDay(days[at]?.day ?? '')
  const all = views.reduce((sum, count) => sum + count, 0)
  const named = Array.from({ length: NAMED }, (_, at) => dayAt(Math.round((at * (days.length - 1)) / (NAMED - 1))))
  const titles = views.map((count, at) => {
    const people = hasPeople ? `, ${show(days[at]?.visitors ?? 0)} people` : ''
    return `${dayAt(at)}: ${show(count)} views${people}`
  })
  return (
    <figure className={classes.figure}>
      <div className={classes.chart}>
        <div className={classes.scale} aria-hidden>
          <span>{show(top)}</span>
          <span>{top > 1 ? show(top / 2) : ''}</span>
          <span>0</span>
        </div>
        <div className={classes.room}>
          <Bars
            values={views}
            most={top}
            titles={titles}
            label={`${name}: ${show(all)} views from ${dayAt(0)} to ${dayAt(days.length - 1)}, most on ${dayAt(most)} with ${show(views[most] ?? 0)}`}
          />
        </div>
        <div className={classes.days} aria-hidden>
          {named.map((one, at) => (
            <span key={at}>{one}</span>
          ))}
        </div>
      </div>
      <details className={classes.more}>
        <summary>Show as a table</summary>
        <table className={classes.table} aria-label={`${name} by day`}>
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
                <th scope="row">{showDay(day)}</th>
                <td>{show(views[at] ?? 0)}</td>
                {hasPeople ? <td>{show(visitors)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
