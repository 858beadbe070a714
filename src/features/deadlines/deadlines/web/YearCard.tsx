import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import type { Deadline } from '../contract.ts'
import { countDays } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { DeadlineDetails } from './DeadlineDetails.tsx'
import type { YearMark, YearRow } from './year-layout.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './YearCard.module.css'

const DISTANCE = 16
const EDGE = 8

const formatDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** The time between a petition and the end of the term. */
const getRemark = (deadline: Deadline, { termEnd }: YearRow): string | undefined => {
  if (deadline.kind !== 'petition' || termEnd === null) return undefined
  const days = countDays(getShownDate(deadline), termEnd)
  return days < 0
    ? `The term ends ${formatDays(-days)} before, on ${formatDay(termEnd)}.`
    : `The term ends ${formatDays(days)} later, on ${formatDay(termEnd)}.`
}

/** Places the card below or above its mark, wherever there is room, and never over it. */
const placeCard = (card: HTMLElement, mark: Element, area: HTMLElement): { left: number; top: number } => {
  const [at, within] = [mark.getBoundingClientRect(), area.getBoundingClientRect()]
  const wanted = at.left + at.width / 2 - within.left - card.offsetWidth / 2
  const left = Math.max(0, Math.min(wanted, within.width - card.offsetWidth))
  const below = at.bottom + DISTANCE
  const above = at.top - DISTANCE - card.offsetHeight
  const isBelow = below + card.offsetHeight <= window.innerHeight - EDGE || above < EDGE
  return { left, top: (isBelow ? below : above) - within.top }
}

interface YearCardProps {
  readonly row: YearRow
  readonly mark: YearMark
  readonly markKey: string
  readonly today: string
  readonly area: RefObject<HTMLDivElement | null>
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** The deadline of a mark, with its actions. */
export const YearCard = ({ row, mark, markKey, today, area, onStay, onLeave }: YearCardProps) => {
  const card = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<{ left: number; top: number } | null>(null)
  useLayoutEffect(() => {
    const element = area.current?.querySelector(`[data-mark="${CSS.escape(markKey)}"]`)
    if (card.current && area.current && element) setPosition(placeCard(card.current, element, area.current))
  }, [area, markKey, mark])
  useEffect(() => {
    const element = card.current
    const listeners = { pointerenter: onStay, focusin: onStay, pointerleave: onLeave, focusout: onLeave }
    for (const [type, listener] of Object.entries(listeners)) element?.addEventListener(type, listener)
    return () => {
      for (const [type, listener] of Object.entries(listeners)) element?.removeEventListener(type, listener)
    }
  }, [onStay, onLeave])
  return (
    <div
      ref={card}
      role="group"
      aria-label={mark.deadlines.length === 1 ? mark.deadlines[0].title : `${mark.deadlines.length} deadlines`}
      className={`${layoutClasses.card} ${layoutClasses.scrolling} ${classes.card}`}
      data-year-card
      data-print="no"
      style={position ?? { visibility: 'hidden' }}
    >
      {mark.deadlines.map((deadline) => (
        <div key={deadline._id} className={classes.deadline}>
          <DeadlineDetails deadline={deadline} today={today} hasDate remark={getRemark(deadline, row)} />
        </div>
      ))}
    </div>
  )
}
