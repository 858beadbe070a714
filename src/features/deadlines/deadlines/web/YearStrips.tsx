import { useElementSize } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import { getShownDate } from './agenda.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { formatState, isOverdue, layoutMarks, type YearRow } from './year-layout.ts'
import { type ShownYear, YearLine } from './YearLine.tsx'
import { YearPicture } from './YearMarks.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './YearStrips.module.css'

const SIGN_SIZE = 16
/** Used before the first measurement. */
const DEFAULT_WIDTH = 350

interface YearStripsProps extends ShownYear {
  readonly rows: readonly YearRow[]
}

/** The year on phones: each charter as text with a small chart. A tap opens its list. */
export const YearStrips = ({ rows, range, months, today }: YearStripsProps) => {
  const { ref, width } = useElementSize()
  return (
    <>
      <div ref={ref} className={`${layoutClasses.positioned} ${textClasses.dimmed} ${textClasses.tinyFont} ${classes.months}`} aria-hidden>
        {months.map(({ name, fraction }) => (
          <span key={name} style={{ left: `${(fraction * 100).toFixed(3)}%` }}>
            {name.slice(0, 1)}
          </span>
        ))}
      </div>
      <ul className={classes.strips}>
        {rows.map((row) => {
          const { next } = row
          return (
            <li key={row._id}>
              <Link
                to="/deadlines"
                search={(before: Record<string, string>) => ({
                  ...before,
                  view: undefined,
                  start: undefined,
                  [row.isSite ? 'site' : 'charter']: row.slug,
                })}
                className={`${layoutClasses.block} ${layoutClasses.lineBelow} ${textClasses.textColor} ${classes.strip}`}
              >
                <span className={`${layoutClasses.breakable} ${layoutClasses.spaced} ${textClasses.strong} ${layoutClasses.spaceBetween}`}>
                  {row.name}
                  <IconChevronRight size={18} stroke={1.75} aria-hidden />
                </span>
                {next ? (
                  <span
                    className={`${layoutClasses.spaced} ${textClasses.smallFont} ${layoutClasses.topMargin4} ${classes.next}`}
                    data-overdue={isOverdue(next, today) || undefined}
                  >
                    <DeadlineIcon kind={next.kind} state={next.state} size={18} />
                    {DEADLINE_KINDS[next.kind].name}, {formatDay(getShownDate(next))}, {formatState(next, today)}
                  </span>
                ) : null}
                <span className={`${layoutClasses.block} ${layoutClasses.positioned} ${classes.year}`}>
                  <YearLine row={row} range={range} months={months} today={today} />
                  <YearPicture
                    marks={layoutMarks(row.deadlines, { range, width: width || DEFAULT_WIDTH, markWidth: SIGN_SIZE + 1 })}
                    today={today}
                    size={SIGN_SIZE}
                  />
                </span>
                <span className={`${layoutClasses.spaced} ${textClasses.caption} ${layoutClasses.spaceBetween}`}>
                  <span>{row.region}</span>
                  {row.termEnd === null ? null : <span>Term ends {formatDay(row.termEnd)}</span>}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
