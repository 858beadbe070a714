import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconSearch, IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'

import { isPressed } from '../keyboard.ts'
import { MOVE_KEYS } from './list-keys.ts'
import { findFirstRecord } from './use-arrow-keys.ts'
import type { ListSearch } from './use-list-search.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './Filters.module.css'

/** How much of a row's first filter stays visible on phones. */
const EDGE = 16

/** Search field and filters of a list, in one row. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <search className={layoutClasses.toolbar} data-print="no">
    {children}
  </search>
)

/** The filters after the search field; on phones they scroll sideways. */
export const Chips = ({ label, children }: { label: string; children: ReactNode }) => {
  const row = useRef<HTMLDivElement>(null)
  // A filter that is initially on must be visible. Scrolls the row, not the page: Back restores the page's own position.
  useLayoutEffect(() => {
    if (!row.current) return
    const { left } = row.current.getBoundingClientRect()
    const on = [...row.current.querySelectorAll('[aria-pressed="true"], [data-on]')].map((filter) => filter.getBoundingClientRect().left)
    if (on.length > 0) row.current.scrollLeft += Math.min(...on) - left - EDGE
  }, [])
  return (
    <div ref={row} className={`${layoutClasses.wrappingRow} ${classes.chips}`} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** A list's search field. `label` says what is searched. */
export const SearchField = ({ label, typed }: { label: string; typed: ListSearch }) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className={`${layoutClasses.positioned} ${classes.search}`}>
      <IconSearch size={18} stroke={1.75} className={`${textClasses.dimmed} ${classes.icon}`} aria-hidden />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        className={`${layoutClasses.fullWidth} ${layoutClasses.rounded} ${textClasses.textColor} ${classes.input}`}
        value={typed.text}
        onChange={({ currentTarget: { value, selectionEnd } }) => typed.setText(value, selectionEnd === value.length)}
        onFocus={typed.handleFocus}
        onBlur={typed.handleBlur}
        onKeyDown={(event) => {
          if (event.key === 'Enter') typed.commit()
          if (isPressed(event, MOVE_KEYS.down)) {
            event.preventDefault()
            findFirstRecord()?.focus()
          }
          if (event.key === 'Escape') typed.setText('')
        }}
      />
      {typed.text === '' ? null : (
        <button
          type="button"
          className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.hoverable} ${classes.clear}`}
          aria-label="Clear search"
          onClick={() => {
            typed.setText('')
            field.current?.focus()
          }}
        >
          <IconX size={16} stroke={1.75} />
        </button>
      )}
      <VisuallyHidden aria-live="polite">{typed.announcement}</VisuallyHidden>
    </div>
  )
}

interface FilterToggleProps {
  label: string
  on: boolean
  onToggle: (on: boolean) => void
  /** Whether it is only there while it is on. */
  isRemoved?: boolean
}

/** A filter that is on or off; turning it off clears it. */
export const FilterToggle = ({ label, on, onToggle, isRemoved = false }: FilterToggleProps) => (
  <button
    type="button"
    className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${layoutClasses.hoverable} ${textClasses.small} ${classes.chip}`}
    aria-pressed={on}
    onClick={() => onToggle(!on)}
  >
    {on ? <IconCheck size={16} stroke={2} aria-hidden /> : null}
    {label}
    {isRemoved ? <IconX size={16} stroke={2} aria-hidden /> : null}
  </button>
)

interface FilterChoiceProps {
  /** The label, also shown while nothing is selected. */
  label: string
  /** The label of the empty choice, which clears the filter. */
  all: string
  choices: readonly string[]
  chosen: string | undefined
  onChoose: (choice: string | undefined) => void
  /** The label of the button that clears the selection: 'Remove region Ohio'. */
  remove?: string
}

/** A filter with a native select; when set it reads 'Facility Type: Online'. */
export const FilterChoice = ({ label, all, choices, chosen, onChoose, remove }: FilterChoiceProps) => {
  const select = useRef<HTMLSelectElement>(null)
  const hasCross = remove !== undefined && chosen !== undefined
  return (
    <span className={`${layoutClasses.positioned} ${layoutClasses.rigid} ${classes.pair}`}>
      <label
        className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${layoutClasses.hoverable} ${textClasses.small} ${classes.chip}`}
        data-on={chosen !== undefined || undefined}
        data-cross={hasCross || undefined}
      >
        {chosen === undefined ? null : <IconCheck size={16} stroke={2} aria-hidden />}
        <span aria-hidden className={textClasses.truncated}>
          {chosen === undefined ? label : `${label}: ${chosen}`}
        </span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
        <select
          ref={select}
          aria-label={label}
          className={`${layoutClasses.stretched} ${layoutClasses.pressable} ${classes.select}`}
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        >
          <option value="">{all}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </label>
      {hasCross ? (
        <button
          type="button"
          className={`${layoutClasses.centered} ${classes.remove}`}
          aria-label={remove}
          onClick={() => {
            onChoose(undefined)
            select.current?.focus()
          }}
        >
          <IconX size={16} stroke={2} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}

interface MatchCountProps {
  matching: number | undefined
  all: number | undefined
  /** Said in place of 'Showing all 184'. */
  whole?: string | undefined
  /** Text appended to the count, including its comma: ', 2 of them have no place on the map'. */
  more?: string
}

/** '24 of 184 match', 'Showing all 184'. Announced when it changes. */
export const MatchCount = ({ matching, all, whole, more = '' }: MatchCountProps) => (
  <p role="status" className={`${textClasses.detail} ${classes.count}`}>
    {matching === undefined || all === undefined
      ? '\u00a0'
      : matching === all
        ? (whole ?? `Showing all ${all.toLocaleString('en-US')}`) + more
        : `${matching.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} match${more}`}
  </p>
)
