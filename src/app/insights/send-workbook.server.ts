import type { FastifyReply } from 'fastify'

import { formatDay } from '../../contract/dates.ts'
import type { DownloadContext } from '../../platform/server/send-file.ts'
import { sendRows, textColumn } from '../../platform/server/send-rows.ts'
import type { Insight, InsightQuery, InsightSeries } from './contract.ts'

interface Row {
  readonly period: string
  readonly series: InsightSeries
  readonly on: string
  readonly value: number
}

const PERIOD = 'This period'
const PERIOD_BEFORE = 'The period before'

const listRows = (period: string, all: readonly InsightSeries[]): Row[] =>
  all.flatMap((series) => series.points.map(({ on, value }) => ({ period, series, on, value })))

/** Sends the figures of an insight as a workbook, a row for each point, and logs the download. */
export const sendInsightWorkbook = (insight: Insight, query: InsightQuery, caller: DownloadContext): Promise<FastifyReply> => {
  const rows = [...listRows(PERIOD, insight.series), ...listRows(PERIOD_BEFORE, insight.compared?.series ?? [])]
  async function* readRows(): AsyncGenerator<Row[]> {
    yield rows
  }
  const columns = [
    textColumn<Row>('Period', 18, ({ period }) => period),
    textColumn<Row>('Series', 38, ({ series }) => series.label),
    { header: 'Day', kind: 'day' as const, width: 14, toCell: ({ on }: Row) => on },
    { header: insight.unit, kind: 'number' as const, width: 18, toCell: ({ value }: Row) => String(value) },
    textColumn<Row>('Term begins', 14, ({ series }) => formatDay(series.term?.from ?? '')),
    textColumn<Row>('Petition window', 26, ({ series: { term } }) =>
      term?.windowFrom && term.windowTo ? `${formatDay(term.windowFrom)} to ${formatDay(term.windowTo)}` : null,
    ),
  ]
  const shown = insight.chart === 'terms' ? columns : columns.slice(0, 4)
  return sendRows({ title: insight.label, columns: shown, filter: query, prepare: async () => {}, readRows }, caller)
}
