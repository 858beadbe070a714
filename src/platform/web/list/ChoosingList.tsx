import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

import { CardGrid } from './CardGrid.tsx'
import { MatchCount } from './Filters.tsx'
import { Tick } from './Tick.tsx'
import type { Selection } from './use-selection.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ChoosingList.module.css'

interface ChoosingListProps<T> {
  /** 'Select sites' */
  title: string
  shown: readonly T[]
  all: number
  selection: Selection<T>
  getKey: (record: T) => string
  /** The name, then one or two lines. */
  getLines: (record: T) => readonly [name: string, ...lines: (string | null)[]]
}

const GAP = [12, 10] as const
const getCardHeight = (_width: number, rem: number) => 5.5 * rem

/** A list of selectable cards; Done returns to the list. */
export const ChoosingList = <T,>({ title, shown, all, selection, getKey, getLines }: ChoosingListProps<T>): ReactNode => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { isTicked, toggle, setChoosing } = selection
  const indexes = new Map(shown.map((record, at) => [getKey(record), at]))
  return (
    <>
      <div className={`${layoutClasses.row} ${layoutClasses.spaceBetween}`}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Button variant="default" size="md" onClick={() => setChoosing(false)}>
          Done
        </Button>
      </div>
      <MatchCount matching={shown.length} all={all} />
      <CardGrid label={title} records={shown} getKey={getKey} minWidthRem={19} gap={GAP} getHeight={getCardHeight}>
        {(record) => {
          const [name, ...lines] = getLines(record)
          const key = getKey(record)
          return (
            // The checkbox is the control; pressing anywhere on its card toggles it.
            // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
            <div
              className={`${layoutClasses.card} ${layoutClasses.topRow} ${layoutClasses.pressable} ${classes.card}`}
              data-ticked={isTicked(key) || undefined}
              onClick={(event) => {
                if (!(event.target instanceof Element && event.target.matches('input'))) toggle(indexes.get(key) ?? 0, event.shiftKey)
              }}
            >
              <Tick label={`Select ${name}`} checked={isTicked(key)} onTick={(isRange) => toggle(indexes.get(key) ?? 0, isRange)} />
              <div className={`${layoutClasses.fillingColumn} ${classes.text}`}>
                <span className={`${textClasses.truncated} ${textClasses.strong} ${classes.name}`}>{name}</span>
                {lines.filter(Boolean).map((line) => (
                  <span key={line} className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>
                    {line}
                  </span>
                ))}
              </div>
            </div>
          )
        }}
      </CardGrid>
    </>
  )
}
