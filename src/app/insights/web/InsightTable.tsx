import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import type { Insight, InsightSeries } from '../contract.ts'
import { createDayNames, findBefore, formatChange, formatUnit, formatValue, getLast, listDays } from '../format.ts'
import { formatTerm } from './charts/TermsChart.tsx'
import { toLinkProps } from './link.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Insights.module.css'

interface Column {
  readonly label: string
  readonly isText?: boolean
  readonly getCell: (series: InsightSeries) => ReactNode
}

interface InsightTableProps {
  readonly insight: Insight
  readonly before: Insight['compared'] | undefined
}

const hasDays = (insight: Insight): boolean => ['lines', 'areas', 'bars'].includes(insight.chart)

/** The columns beside the names, of an insight with one row for each series. */
const buildColumns = ({ insight, before }: InsightTableProps): Column[] => {
  const { chart, unit } = insight
  if (chart === 'terms') return [{ label: 'Term', isText: true, getCell: ({ term }) => term && formatTerm(term) }]
  const value: Column = {
    label: formatUnit(unit),
    getCell: (one) => (one.points.length === 0 ? '' : [formatValue(getLast(one), unit), ...(one.points.at(-1)?.stakes ?? [])].join(', ')),
  }
  if (chart === 'map') return [{ label: 'Ends', getCell: ({ points }) => formatDay(points[0]?.on ?? '') }, value]
  if (!before) return [value]
  return [
    value,
    {
      label: 'Before',
      getCell: (one) => {
        const old = findBefore(before.series, one)
        return old && old.points.length > 0 ? formatValue(getLast(old), unit) : ''
      },
    },
    {
      label: 'Change',
      getCell: (one) => {
        const old = findBefore(before.series, one)
        return old && old.points.length > 0 ? formatChange(getLast(one) - getLast(old), unit) : ''
      },
    },
  ]
}

const SeriesLink = ({ label, link }: Pick<InsightSeries, 'label' | 'link'>) =>
  link ? (
    <Link {...toLinkProps(link)} className={textClasses.link}>
      {label}
    </Link>
  ) : (
    label
  )

const SeriesRows = (props: InsightTableProps) => {
  const columns = buildColumns(props)
  return (
    <>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {columns.map(({ label, isText = false }) => (
            <th key={label} scope="col" data-text={isText || undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.insight.series.map((one) => (
          <tr key={one.key}>
            <th scope="row">
              <SeriesLink {...one} />
            </th>
            {columns.map(({ label, isText = false, getCell }) => (
              <td key={label} data-text={isText || undefined}>
                {getCell(one)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  )
}

const findPoint = (series: InsightSeries | undefined, day: string) => series?.points.find(({ on }) => on === day)

/** One row for each day, the newest first. */
const DayRows = ({ insight, before }: InsightTableProps) => {
  const { series, unit } = insight
  const days = listDays(series)
  const oldDays = before ? listDays(before.series) : []
  const nameDay = createDayNames(insight)
  const [only] = series
  const old = only && series.length === 1 ? findBefore(before?.series, only) : undefined
  // The periods end together; their first days may differ where the history begins.
  const findOld = (at: number) => findPoint(old, oldDays[at - days.length + oldDays.length] ?? '')?.value
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{insight.chart === 'bars' ? 'Period' : 'Day'}</th>
          {series.map((one) => (
            <th key={one.key} scope="col">
              <SeriesLink {...one} />
            </th>
          ))}
          {old ? <th scope="col">Before</th> : null}
        </tr>
      </thead>
      <tbody>
        {days
          .map((day, at) => (
            <tr key={day}>
              <th scope="row">{nameDay(day)}</th>
              {series.map((one) => {
                const point = findPoint(one, day)
                return <td key={one.key}>{point && <SeriesLink label={formatValue(point.value, unit)} link={point.link} />}</td>
              })}
              {old ? <td>{formatOld(findOld(at), unit)}</td> : null}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </>
  )
}

const formatOld = (value: number | undefined, unit: string): string => (value === undefined ? '' : formatValue(value, unit))

/** The figures of an insight as a table, which scrolls within its card. */
export const InsightTable = (props: InsightTableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
  <div className={`${layoutClasses.scrolling} ${classes.table}`} role="region" aria-label={`Table: ${props.insight.title}`} tabIndex={0}>
    <table className={`${layoutClasses.fullWidth} ${textClasses.smallFont} ${textClasses.figures}`}>
      {hasDays(props.insight) ? <DayRows {...props} /> : <SeriesRows {...props} />}
    </table>
  </div>
)
