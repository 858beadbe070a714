import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

import { showMomentDay } from '../../../platform/contract/dates.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import type { Charter } from '../contract.ts'

import classes from './CharterTable.module.css'

/** So many rows are simply all there, for the browser's own search and for printing. */
const ALL_THERE = 200
/** Height of a row in rem, its hairline included. */
const ROW = 3.0625

const Row = ({ charter, at }: { charter: Charter; at: number }) => (
  <tr aria-rowindex={at + 2}>
    <th scope="row">
      <Link to="/charter/$id" params={{ id: charter.slug }} className={classes.name}>
        <BrandMark name={charter.brandName} icon={charter.brandIcon} size={32} />
        <span>{charter.name}</span>
      </Link>
    </th>
    <td className={`${classes.quiet} ${classes.wide}`}>{charter.abbreviation}</td>
    <td className={classes.brands}>
      <Link to="/brand/$id" params={{ id: charter.brand }} className={classes.brand}>
        {charter.brandName}
      </Link>
    </td>
    <td className={classes.number}>{charter.studentCount?.toLocaleString('en-US') ?? '–'}</td>
    <td className={classes.number}>{charter.sites.length.toLocaleString('en-US')}</td>
    <td>
      <StatusWord status={charter.status} />
    </td>
    <td className={`${classes.quiet} ${classes.wide}`}>
      {charter.studentCountUpdatedAt ? showMomentDay(charter.studentCountUpdatedAt, configuration.timeZone) : ''}
    </td>
  </tr>
)

/** Charters to compare by their numbers. Only the rows near the window are drawn. */
export const CharterTable = ({ charters }: { charters: readonly Charter[] }) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  const height = ROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return undefined
    const measure = () => setTop(element.getBoundingClientRect().top + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: charters.length,
    estimateSize: () => height,
    scrollMargin: top,
    overscan: charters.length <= ALL_THERE ? charters.length : 8,
    initialOffset: () => window.scrollY,
  })
  const drawn = virtual.getVirtualItems()
  const before = drawn[0] ? drawn[0].start - top : 0
  const after = virtual.getTotalSize() - ((drawn.at(-1)?.end ?? top) - top)

  return (
    <div className={classes.room}>
      <table className={classes.table} aria-label="Charters" aria-rowcount={charters.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Name</th>
            <th scope="col" className={classes.wide}>
              Abbreviation
            </th>
            <th scope="col" className={classes.brands}>
              Brand
            </th>
            <th scope="col" className={classes.number}>
              Students
            </th>
            <th scope="col" className={classes.number}>
              Sites
            </th>
            <th scope="col">Status</th>
            <th scope="col" className={classes.wide}>
              Count changed
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 ? <tr aria-hidden className={classes.space} style={{ height: before }} /> : null}
          {drawn.map(({ index }) => {
            const charter = charters[index]
            return charter ? <Row key={charter._id} charter={charter} at={index} /> : null
          })}
          {after > 0 ? <tr aria-hidden className={classes.space} style={{ height: after }} /> : null}
        </tbody>
      </table>
    </div>
  )
}
