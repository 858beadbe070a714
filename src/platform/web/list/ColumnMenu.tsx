import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import {
  IconArrowAutofitWidth,
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconEyeOff,
  IconFilter,
  IconFilterFilled,
  IconLayoutRows,
} from '@tabler/icons-react'
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

interface ColumnFilterProps<T> {
  column: Column<T>
  table: Table<T>
  /** The records that pass all other filters than those of columns. */
  listCandidates: () => readonly T[]
}

/** More values are found by typing. */
const MAX_SHOWN_VALUES = 50
const TYPING_PAUSE_MS = 200

/** Filters by the values of a column, with the number of rows that have each, or by a text that it contains. */
const FilterPanel = <T,>({ column, table, listCandidates }: ColumnFilterProps<T>) => {
  const { key } = column
  const { columns, columnFilters, setColumnFilter } = table
  const { operator, values = [] } = columnFilters.find((filter) => filter.key === key) ?? {}
  const [text, setText] = useState(operator === 'contains' ? values.join(' ') : '')
  const counts = useMemo(() => {
    const others = columnFilters.filter((filter) => filter.key !== key)
    const records = listCandidates().filter(buildColumnFilter(others, columns, configuration.timeZone))
    return countColumnValues(records, column, configuration.timeZone)
  }, [column, key, columns, columnFilters, listCandidates])
  const ticked = operator === 'is' ? values : []
  const known = [...new Set([...counts.keys(), ...ticked])].filter((value) => value !== '')
  const matching = known.filter((value) => matchesText(text, [value]))
  const empty = counts.get('') ?? 0
  const full = [...counts.values()].reduce((sum, count) => sum + count, -empty)
  // What is typed narrows the list as long as one of its values is ticked. A text that no value contains would hide the table with this menu.
  const choose = (next: readonly string[]) =>
    setColumnFilter(
      key,
      next.length > 0
        ? { operator: 'is', values: next }
        : text.trim() === '' || matching.length === 0
          ? undefined
          : { operator: 'contains', values: [text.trim()] },
    )
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
          setColumnFilter(key, isOn ? { operator: 'is not empty', values: [] } : undefined),
        )}
        {toValue('')}
        {matching.slice(0, MAX_SHOWN_VALUES).map(toValue)}
        {matching.length === 0 ? <p className={textClasses.note}>No value contains this text.</p> : null}
        {matching.length > MAX_SHOWN_VALUES ? (
          <p className={textClasses.note}>{formatNumber(matching.length - MAX_SHOWN_VALUES)} more values. Type to find them.</p>
        ) : null}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        disabled={operator === undefined}
        onClick={() => {
          setText('')
          setColumnFilter(key, undefined)
        }}
      >
        Clear Filter
      </Button>
    </div>
  )
}

/** The menu of a column: its order, filter, group and width, and hides it. */
export const ColumnMenu = <T,>({ column, table, listCandidates, onFit }: ColumnFilterProps<T> & { onFit: () => void }) => {
  const { key, label } = column
  const { visibleColumns, setSort, setColumns, columnFilters, group, setGroup } = table
  const [isOpen, setOpen] = useState(false)
  const [isFiltering, setFiltering] = useState(false)
  const name = `Options of column ${label}`
  const isGroup = group?.key === key
  const Icon = columnFilters.some((filter) => filter.key === key) ? IconFilterFilled : IconChevronDown
  const entries = [
    { icon: IconArrowUp, text: 'Sort ascending', act: () => setSort(key) },
    { icon: IconArrowDown, text: 'Sort descending', act: () => setSort(`-${key}`) },
    { icon: IconFilter, text: 'Filter…', act: () => setFiltering(true) },
    { icon: IconLayoutRows, text: isGroup ? 'Stop grouping' : 'Group by this column', act: () => setGroup(isGroup ? undefined : key) },
    { icon: IconArrowAutofitWidth, text: 'Fit width to content', act: onFit },
    {
      icon: IconEyeOff,
      text: 'Hide column',
      act: () => setColumns(visibleColumns.map((one) => one.key).filter((one) => one !== key)),
      isDisabled: visibleColumns[0] === column,
    },
  ]
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
          className={`${layoutClasses.centered} ${textClasses.inheritedColor} ${classes.columnMenu}`}
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
        <FilterPanel column={column} table={table} listCandidates={listCandidates} />
      ) : (
        entries.map(({ icon: EntryIcon, text, act, isDisabled = false }) => (
          <button
            key={text}
            type="button"
            className={`${layoutClasses.option} ${textClasses.bodyFont} ${classes.entry}`}
            disabled={isDisabled}
            onClick={() => {
              if (text !== 'Filter…') setOpen(false)
              act()
            }}
          >
            <EntryIcon size={17} stroke={1.75} aria-hidden />
            {text}
          </button>
        ))
      )}
    </ButtonPanel>
  )
}
