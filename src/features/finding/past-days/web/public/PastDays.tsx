import { ActionIcon, Slider } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useState } from 'react'

import { DAY_MS, formatDay } from '../../../../../contract/dates.ts'
import { formatCount } from '../../../../../contract/format.ts'
import { isEmptyValue } from '../../../../../contract/objects.ts'
import type { EditableKind } from '../../../../../contract/records.ts'
import { toDay } from '../../../../../platform/web/past-day.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import { truncateText } from '../../../../changing/history/rules.ts'
import { formatFieldValue } from '../../../../changing/requests/rules.ts'
import { usePastDays } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './PastDays.module.css'

interface PastRecord {
  readonly kind: EditableKind
  readonly _id: string
}

const toNumber = (day: string): number => Date.parse(day) / DAY_MS
const fromNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** Shows this page on another day. */
const show = (day: string): void => location.assign(toDay(location.href, day === getToday() ? undefined : day))

/** On a past day: the days on which the record changed, from one to the next. */
export const PastDays = ({ kind, _id, day }: PastRecord & { day: string }) => {
  const { data } = usePastDays(kind, _id)
  const [chosen, setChosen] = useState(day)
  if (!data) return null
  const today = getToday()
  const stops = [...new Set([...data.days.map((one) => one.day), day, today])].toSorted()
  const at = stops.indexOf(day)
  const later = data.days.filter((one) => one.day > day).reduce((sum, { changes }) => sum + changes, 0)
  const step = (to: string | undefined, label: string, StepIcon: typeof IconChevronLeft) => (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} disabled={to === undefined} onClick={() => to && show(to)}>
      <StepIcon size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
  return (
    <section className={`${layoutClasses.framed} ${classes.card}`} aria-label="Days with changes" data-print="no">
      <div className={layoutClasses.spreadRow}>
        <span className={`${textClasses.small} ${textClasses.strong}`}>{formatDay(chosen)}</span>
        <span className={textClasses.caption}>
          {later === 0 ? 'No changes between then and today' : `${formatCount(later, 'change')} between then and today`}
        </span>
      </div>
      <div className={layoutClasses.row}>
        {step(stops[at - 1], 'Earlier change', IconChevronLeft)}
        <Slider
          className={layoutClasses.filling}
          classNames={{ mark: classes.mark ?? '' }}
          size="sm"
          thumbSize={16}
          inverted
          restrictToMarks
          label={null}
          min={toNumber(stops[0] ?? day)}
          max={toNumber(today)}
          value={toNumber(chosen)}
          marks={stops.map((one) => ({ value: toNumber(one) }))}
          thumbLabel="Day shown"
          thumbProps={{ 'aria-valuetext': formatDay(chosen) }}
          onChange={(value) => setChosen(fromNumber(value))}
          onChangeEnd={(value) => show(fromNumber(value))}
        />
        {step(stops[at + 1], 'Later change', IconChevronRight)}
      </div>
      <div className={`${layoutClasses.spreadRow} ${textClasses.caption} ${classes.ends}`} aria-hidden>
        <span>{formatDay(stops[0] ?? day)}</span>
        <span>Today</span>
      </div>
    </section>
  )
}

/** Beside a fact of a past day: what it is today, if that differs. The last part of a path may also be the label of the field. */
export const TodayValues = ({ kind, _id, paths }: PastRecord & { paths: readonly string[] }) => {
  const { data } = usePastDays(kind, _id)
  const shown = data?.today.filter(
    ({ path, label }) => paths.includes(path) || paths.includes(path.slice(0, path.lastIndexOf('.') + 1) + label),
  )
  return shown?.map(({ path, label, value, name }) => (
    <Fragment key={path}>
      {' '}
      <span className={`${textClasses.strong} ${layoutClasses.waitGround} ${classes.today}`}>
        {paths.length > 1 ? `${label} today: ` : 'today: '}
        {isEmptyValue(value) ? 'none' : truncateText(formatFieldValue(path, value, name))}
      </span>
    </Fragment>
  ))
}
