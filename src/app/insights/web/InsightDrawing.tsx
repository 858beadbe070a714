import { Button } from '@mantine/core'
import { type ComponentType, useRef, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { useIsPrinting } from '../../../platform/web/print.ts'
import { useSize } from '../../../records/map/web/public/use-size.ts'
import type { Insight } from '../contract.ts'
import { BarsChart } from './charts/BarsChart.tsx'
import type { ChartProps } from './charts/chart-props.ts'
import { RanksChart } from './charts/RanksChart.tsx'
import { TermsChart } from './charts/TermsChart.tsx'
import { TimeChart } from './charts/TimeChart.tsx'
import { InsightTable } from './InsightTable.tsx'
import { PlacesMap } from './PlacesMap.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Insights.module.css'

const CHARTS: Partial<Record<Insight['chart'], ComponentType<ChartProps>>> = {
  lines: TimeChart,
  areas: TimeChart,
  bars: BarsChart,
  ranks: RanksChart,
  terms: TermsChart,
}

/** The rows of a picture with one row for each series, before all are shown. */
const FIRST_ROWS = 10

const isEmpty = ({ chart, series }: Insight): boolean =>
  series.length === 0 || (chart !== 'terms' && series.every(({ points }) => points.length === 0))

interface InsightDrawingProps {
  readonly insight: Insight
  readonly isCompared: boolean
  readonly isTable: boolean
}

/** The figures of an insight as a picture or a table. */
export const InsightDrawing = ({ insight, isCompared, isTable }: InsightDrawingProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const [width] = useSize(frame)
  const [isWhole, setWhole] = useState(false)
  const isPrinting = useIsPrinting()
  const before = isCompared ? insight.compared : null
  const Chart = CHARTS[insight.chart]
  // Pictures of time show all their series.
  const isLong = (insight.chart === 'ranks' || insight.chart === 'terms') && insight.series.length > FIRST_ROWS + 2
  const shown = isLong && !isWhole ? { ...insight, series: insight.series.slice(0, FIRST_ROWS) } : insight

  const content = () => {
    if (isEmpty(insight))
      return (
        <p className={`${textClasses.note} ${classes.nothing}`}>
          {insight.begins !== null && insight.to < insight.begins
            ? `The history begins on ${formatDay(insight.begins)}. There is nothing to draw before.`
            : 'Nothing to draw for this period and these filters.'}
        </p>
      )
    if (isTable || insight.chart === 'table' || (insight.chart === 'map' && isPrinting))
      return <InsightTable insight={insight} before={before} />
    if (insight.chart === 'map') return <PlacesMap insight={insight} />
    if (!Chart || width === 0) return null
    return (
      <>
        <Chart insight={shown} before={before} width={width} />
        {isLong ? (
          <Button variant="subtle" size="compact-sm" data-print="no" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${FIRST_ROWS}` : `Show all ${insight.series.length}`}
          </Button>
        ) : null}
      </>
    )
  }
  return (
    <div ref={frame} className={layoutClasses.positioned}>
      {content()}
    </div>
  )
}
