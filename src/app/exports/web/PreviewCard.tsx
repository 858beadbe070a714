import { Skeleton } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { formatCount } from '../../../contract/format.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { isSignedOut } from '../../../platform/web/failures.ts'
import { RetryNotice } from '../../../platform/web/kit/RetryNotice.tsx'
import type { ExportKind, ExportPreview } from '../contract.ts'
import { getFileName, formatSize } from '../rules.ts'
import type { WorkbookSheet } from '../workbooks.ts'
import { WORKBOOKS } from '../workbooks.ts'
import { usePreview } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './PreviewCard.module.css'

const SECOND_MS = 1000
/** The time for the file name. */
const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The file name that a download would get now. */
const FileName = ({ kind }: { kind: ExportKind }) => <>{getFileName(kind, useNow(), configuration.timeZone)}</>

const formatSummary = ({ rows, bytes }: ExportPreview, sheets: readonly WorkbookSheet[]): string =>
  [
    formatCount(rows, 'row'),
    formatCount(sheets[0]?.columns.length ?? 0, 'column'),
    sheets.length > 1 ? formatCount(sheets.length, 'sheet') : null,
    bytes === null ? null : `about ${formatSize(bytes)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** The first rows with the most important columns; the file has all of them. */
const FirstRows = ({ sheet, first }: { sheet: WorkbookSheet; first: ExportPreview['first'] }) => {
  const shown = sheet.previewColumns.map((from) => sheet.columns.findIndex((column) => column.from === from))
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard (WCAG 2.1.1)
    <div className={classes.scroll} role="region" aria-label="First rows of the file" tabIndex={0}>
      <table className={`${layoutClasses.fullWidth} ${textClasses.smallFont} ${classes.table}`}>
        <thead>
          <tr>
            {shown.map((at) => (
              <th key={at} scope="col">
                {sheet.columns[at]?.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((row) => (
            <tr key={row.join('\n')}>
              {shown.map((at) => (
                <td key={at}>{sheet.columns[at]?.holds === 'day' ? formatDay(row[at] ?? '') : row[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const RowSkeletons = () => (
  <div aria-hidden className={`${layoutClasses.lineBelow} ${layoutClasses.vertical} ${classes.skeleton}`}>
    {['38%', '46%', '34%', '42%'].map((width) => (
      <Skeleton key={width} height={14} width={width} />
    ))}
  </div>
)

const ColumnLists = ({ sheets }: { sheets: readonly WorkbookSheet[] }) => (
  <details className={classes.all}>
    <summary>All columns</summary>
    {sheets.map(({ name, columns }) => (
      <div key={name}>
        <h2 className={`${textClasses.caption} ${classes.sheet}`}>{sheets.length > 1 ? `Sheet ${name}` : 'Columns'}</h2>
        <ul className={`${textClasses.small} ${layoutClasses.bottomMargin20} ${classes.columns}`}>
          {columns.map(({ from, header }) => (
            <li key={from}>{header}</li>
          ))}
        </ul>
      </div>
    ))}
  </details>
)

/** A preview of the file: its name, size and first rows. */
export const PreviewCard = ({ kind }: { kind: ExportKind }) => {
  const id = useId()
  const query = usePreview(kind)
  const { data, error } = query
  const sheets = WORKBOOKS[kind]
  const [sheet] = sheets
  if (error && data === undefined && !isSignedOut(error)) return <RetryNotice query={query} />
  return (
    <section className={`${layoutClasses.card} ${layoutClasses.clipped}`} aria-labelledby={id}>
      <div className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${layoutClasses.railGround} ${classes.head}`}>
        <IconFileSpreadsheet size={24} stroke={1.75} aria-hidden className={textClasses.ok} />
        <div className={layoutClasses.shrinkable}>
          <h2 id={id} className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.strong} ${textClasses.bodyFont}`}>
            <FileName kind={kind} />
          </h2>
          <p className={textClasses.detail}>{data ? formatSummary(data, sheets) : 'Loading...'}</p>
        </div>
      </div>
      {data === undefined ? <RowSkeletons /> : null}
      {data && sheet && data.first.length > 0 ? <FirstRows sheet={sheet} first={data.first} /> : null}
      {data?.first.length === 0 ? (
        <p className={`${layoutClasses.lineBelow} ${textClasses.dimmed} ${classes.none}`}>
          There are no rows. The file will contain only column headings.
        </p>
      ) : null}
      <ColumnLists sheets={sheets} />
    </section>
  )
}
