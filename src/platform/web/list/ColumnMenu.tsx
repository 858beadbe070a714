import { Checkbox, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconChevronDown, IconFilterFilled } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { buildColumnFilter, countColumnValues } from '../../../contract/column-filters.ts'
import { formatNumber } from '../../../contract/format.ts'
import { matchesText } from '../../../contract/text-match.ts'
import { configuration } from '../configuration.ts'
import { ButtonPanel } from '../kit/ButtonPanel.tsx'
import { type Column, formatColumnValue } from './columns.ts'
import type { Table } from './use-table.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListTools.module.css'

export interface ColumnFilterProps<T> {
  column: Column<T>
  table: Table<T>
  /** The records that pass all other filters than those of columns. */
  listCandidates: () => readonly T[]
}

/** More values are found by typing. */
const MAX_SHOWN_VALUES = 50
const TYPING_PAUSE_MS = 200

/** Filters by the values of a column, with the number of rows that have each, or by a text that it contains. */
const FilterPanel = <T,>({ column, table: { columns, columnFilters, setColumnFilter }, listCandidates }: ColumnFilterProps<T>) => {
  const { operator, values = [] } = columnFilters.find(({ key }) => key === column.key) ?? {}
  const [text, setText] = useState(operator === 'contains' ? values.join(' ') : '')
  const counts = useMemo(() => {
    const others = columnFilters.filter(({ key }) => key !== column.key)
    const records = listCandidates().filter(buildColumnFilter(others, columns, configuration.timeZone))
    return countColumnValues(records, column, configuration.timeZone)
  }, [column, columns, columnFilters, listCandidates])
  const ticked = operator === 'is' ? values : []
  const matching = [...new Set([...counts.keys(), ...ticked])].filter((value) => value !== '' && matchesText(text, [value]))
  const empty = counts.get('') ?? 0
  const full = [...counts.values()].reduce((sum, count) => sum + count, -empty)
  const choose = (next: readonly string[]) => {
    if (next.length > 0) setColumnFilter(column.key, { operator: 'is', values: next })
    // A text that no value contains would hide the table with this panel.
    else setColumnFilter(column.key, text.trim() && matching.length > 0 ? { operator: 'contains', values: [text.trim()] } : undefined)
  }
  const chooseTyped = useDebouncedCallback(() => choose(ticked), { delay: TYPING_PAUSE_MS, flushOnUnmount: true })
  const toCheckbox = (label: string, count: number, isOn: boolean, onChange: (isOn: boolean) => void) => (
    <Checkbox
      key={label}
      label={
        <>
          {label} <span className={textClasses.dimmed}>{formatNumber(count)}</span>
        </>
      }
      checked={isOn}
      disabled={count === 0 && !isOn}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  )
  const toValue = (value: string) =>
    toCheckbox(formatColumnValue(column, value), counts.get(value) ?? 0, ticked.includes(value), (isOn) =>
      choose(isOn ? [...ticked, value] : ticked.filter((one) => one !== value)),
    )
  return (
    <div className={`${layoutClasses.grid} ${classes.columns}`}>
      <TextInput
        label={`${column.label} contains`}
        autoComplete="off"
        // The panel was opened by a press on its entry of the menu.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          chooseTyped()
        }}
      />
      <div className={`${layoutClasses.grid} ${layoutClasses.scrolling} ${classes.values}`}>
        {toCheckbox('Not empty', full, operator === 'is not empty', (isOn) =>
          setColumnFilter(column.key, isOn ? { operator: 'is not empty', values: [] } : undefined),
        )}
        {toValue('')}
        {matching.slice(0, MAX_SHOWN_VALUES).map(toValue)}
        {matching.length === 0 ? <p className={textClasses.note}>No value contains this text.</p> : null}
        {matching.length > MAX_SHOWN_VALUES ? <p className={textClasses.note}>Type to find others of {matching.length} values.</p> : null}
      </div>
    </div>
  )
}

/** The menu of a column: its order, filter and group, and hides it. */
export const ColumnMenu = <T,>(props: ColumnFilterProps<T>) => {
  const { column, table } = props
  const { key, label } = column
  const { visibleColumns, setSort, setColumns, columnFilters, group, setGroup } = table
  const [isOpen, setOpen] = useState(false)
  const [isFiltering, setFiltering] = useState(false)
  const name = `${label} column options`
  const Icon = columnFilters.some((filter) => filter.key === key) ? IconFilterFilled : IconChevronDown
  const toEntry = (text: string, act: () => void, isLast = true) => (
    <button
      type="button"
      className={`${layoutClasses.option} ${layoutClasses.hoverable} ${textClasses.bodyFont} ${classes.entry}`}
      onClick={() => {
        setOpen(!isLast)
        act()
      }}
    >
      {text}
    </button>
  )
  return (
    <ButtonPanel
      isOpen={isOpen}
      onToggle={setOpen}
      label={name}
      position="bottom-start"
      className={classes.panel}
      button={
        <button
          type="button"
          className={`${layoutClasses.centered} ${layoutClasses.hoverable} ${textClasses.inheritedColor} ${classes.columnMenu}`}
          aria-label={name}
          data-print="no"
          onClick={() => {
            setFiltering(false)
            setOpen(!isOpen)
          }}
        >
          <Icon size={14} stroke={2} aria-hidden />
        </button>
      }
    >
      {isFiltering ? (
        <FilterPanel {...props} />
      ) : (
        <>
          {toEntry('Sort ascending', () => setSort(key))}
          {toEntry('Sort descending', () => setSort(`-${key}`))}
          {toEntry('Filter…', () => setFiltering(true), false)}
          {group === column ? toEntry('Stop grouping', () => setGroup(undefined)) : toEntry('Group by this column', () => setGroup(key))}
          {visibleColumns[0] === column
            ? null
            : toEntry('Hide column', () => setColumns(visibleColumns.flatMap((one) => (one === column ? [] : one.key))))}
        </>
      )}
    </ButtonPanel>
  )
}
