import { Button, VisuallyHidden } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import type { RecordKind } from '../../../../contract/records.ts'
import { errorMessage, isSignedOut } from '../../../../platform/web/failures.ts'
import { closePalette, openPalette } from '../../../../platform/web/palette.ts'
import { useFavorites, useRecent } from '../../favorites/web/queries.ts'
import { type ActionHit, MAX_QUERY_LENGTH } from '../contract.ts'
import { HitRow } from './HitRow.tsx'
import { formatSummary, type PaletteGroupData, toInitialGroups, toResultGroups } from './palette-groups.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { useSearch } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './Palette.module.css'

interface PaletteMessageProps {
  text: string
  found: ReturnType<typeof useSearch>
  isEmpty: boolean
  /** The number of shown hits. */
  count: number
}

/** The message above the hits, or instead of them. */
const PaletteMessage = ({ text, found, isEmpty, count }: PaletteMessageProps) => {
  if (isEmpty)
    return count > 0 ? null : (
      <p className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.message}`}>
        Try a name or a nickname, part of a phone number, a finance or CDS number, or a role with a place, such as principal lodi.
      </p>
    )
  if (found.error && !isSignedOut(found.error))
    return (
      <div role="alert" className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.message}`}>
        <p>{errorMessage(found.error)}</p>
        <Button size="compact-sm" variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
          Retry
        </Button>
      </div>
    )
  if (!found.data || (found.data.groups.length === 0 && !found.isOf))
    return <p className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.message}`}>Searching…</p>
  if (found.data.groups.length === 0)
    return (
      <div className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.message}`}>
        <p className={classes.nothing}>No results for “{found.data.query.trim()}”.</p>
        <p>
          Try fewer words, part of a phone number, or a role with a place, such as principal lodi. The spelling doesn’t have to be exact.
        </p>
      </div>
    )
  const { close, on } = found.data
  if (!found.isOf || !(close || on !== null)) return null
  return (
    <p className={`${layoutClasses.toolbar} ${textClasses.note} ${classes.message}`}>
      {on === null ? null : `As of ${formatDay(on)}. `}
      {close ? `No exact match for “${text.trim()}”. Showing the closest names.` : null}
    </p>
  )
}

interface PaletteFootProps {
  /** The summary for screen readers: 'People: 17, Sites: 2'. */
  summary: string
  count: number
  /** `showing`: the hits of an earlier text stay until those of this one arrive. */
  state: 'empty' | 'failed' | 'searching' | 'showing' | 'ready'
}

const FOOT_STATUS = { empty: '', failed: '', searching: 'Searching…', showing: '' }

/** The keys, and the number of hits. */
const PaletteFoot = ({ summary, count, state }: PaletteFootProps) => (
  <div className={`${layoutClasses.row} ${textClasses.caption} ${layoutClasses.notOnPhones} ${classes.foot}`}>
    <span aria-hidden className={`${layoutClasses.row} ${layoutClasses.gap6} ${classes.keys}`}>
      <kbd className={classes.key}>↑</kbd>
      <kbd className={classes.key}>↓</kbd> move
      <kbd className={classes.key}>Enter</kbd> open
      <kbd className={classes.key}>Tab</kbd> call, email, Teams
    </span>
    <span aria-hidden>{state === 'ready' || state === 'showing' ? formatCount(count, 'result') : FOOT_STATUS[state]}</span>
    <VisuallyHidden role="status">{state === 'ready' ? summary || 'No results' : FOOT_STATUS[state]}</VisuallyHidden>
  </div>
)

const none: readonly string[] = []

/** A group with the index of its first hit. */
interface IndexedGroup extends PaletteGroupData {
  readonly from: number
}

const indexGroups = (groups: readonly PaletteGroupData[]): { groups: IndexedGroup[]; count: number } => {
  let count = 0
  return {
    groups: groups.map((group) => {
      const from = count
      count += group.hits.length
      return { ...group, from }
    }),
    get count() {
      return count
    },
  }
}

/** The groups for a text and the selected hit: the first, until the user selects another. */
const usePaletteHits = (text: string, onlyKind: RecordKind | undefined) => {
  const found = useSearch(text, onlyKind)
  const { data: recent } = useRecent()
  const { data: favorites } = useFavorites()
  const isEmpty = text.trim() === ''
  const { groups, count } = useMemo(
    () => indexGroups(isEmpty ? toInitialGroups(recent ?? [], favorites ?? []) : found.data ? toResultGroups(found.data, onlyKind) : []),
    [isEmpty, recent, favorites, found.data, onlyKind],
  )
  const among = `${onlyKind ?? ''} ${isEmpty ? '' : (found.data?.query ?? '')}`
  const [chosen, setChosen] = useState({ among, at: 0 })
  return {
    found,
    isEmpty,
    /** Whether the hits are those of this text. */
    isReady: isEmpty || found.isOf,
    groups,
    count,
    marks: isEmpty ? none : (found.data?.marks ?? none),
    on: isEmpty ? null : (found.data?.on ?? null),
    at: chosen.among === among ? Math.min(chosen.at, Math.max(0, count - 1)) : 0,
    select: (at: number) => setChosen({ among, at }),
  }
}

/** Rows passed by Page Up and Page Down. */
const PAGE_SIZE = 5

/** Clicks a row's link, in a new tab with Ctrl. */
const clickHit = (row: HTMLElement | null, { ctrlKey = false, metaKey = false, shiftKey = false } = {}): void => {
  const link = row?.querySelector('[data-hit]')
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** The row that a key selects from row `at` of `count`; undefined for other keys. */
const getNextIndex = (key: string, at: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'PageDown') return Math.min(count - 1, at + PAGE_SIZE)
  if (key === 'PageUp') return Math.max(0, at - PAGE_SIZE)
  return undefined
}

interface PaletteProps {
  /** The typed text. */
  text: string
  /** Runs an action, after the palette is closed. */
  onAction: (action: ActionHit['action']) => void
}

/**
 * The search, above any page. The field is a combobox, each group a grid of rows: arrows select, Enter opens, Tab goes to the links to call, email or
 * message the selected person.
 */
export const Palette = ({ text, onAction }: PaletteProps) => {
  const id = useId()
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [onlyKind, setOnlyKind] = useState<RecordKind>()
  const { found, isEmpty, isReady, groups, count, marks, on, at, select } = usePaletteHits(text, onlyKind)
  // The text for which Enter was pressed before its results arrived: its best hit is opened once it is known.
  const awaited = useRef<string>(undefined)
  const rowId = (index: number) => `${id}hit${index}`
  const gridId = (key: string) => `${id}${key}`
  const selected = rowId(at)
  const waiting = found.error ? 'failed' : count > 0 ? 'showing' : 'searching'
  const state = isEmpty ? 'empty' : isReady ? 'ready' : waiting

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    field.current?.focus()
    // Closing the dialog restores the focus; removing it does not.
    return () => element?.close()
  }, [])
  useEffect(() => router.subscribe('onBeforeNavigate', closePalette), [router])
  useEffect(() => {
    document.getElementById(selected)?.scrollIntoView({ block: 'nearest' })
  }, [selected, groups])
  useEffect(() => {
    if (!isReady || awaited.current !== text) return
    awaited.current = undefined
    clickHit(document.getElementById(selected))
  }, [isReady, text, selected])

  const showOnly = (kind: RecordKind | undefined) => {
    setOnlyKind(kind)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const row = document.getElementById(selected)
    const step = count > 0 ? getNextIndex(event.key, at, count) : undefined
    const [firstWay] = event.key === 'Tab' && !event.shiftKey ? (row?.querySelectorAll<HTMLElement>('a[tabindex="0"]') ?? []) : []
    if (step !== undefined) select(step)
    else if (event.key === 'Enter' && isReady) clickHit(row, event)
    else if (event.key === 'Enter') awaited.current = text
    else if (firstWay) firstWay.focus()
    else {
      if (event.key === 'Backspace' && text === '') setOnlyKind(undefined)
      return
    }
    event.preventDefault()
  }

  return (
    // A click beside the palette closes it; Escape and its button do the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={`${layoutClasses.card} ${textClasses.textColor} ${layoutClasses.clipped} ${classes.palette}`}
      data-print="no"
      aria-label="Search"
      // The browser fires `close` a moment later, and Ctrl K may be pressed before that.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault()
        closePalette()
      }}
      onClose={closePalette}
      onClick={(event) => {
        if (event.target === dialog.current) closePalette()
      }}
    >
      <div className={`${layoutClasses.vertical} ${classes.content}`}>
        <div className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${layoutClasses.rigid} ${classes.top}`}>
          <IconSearch size={20} stroke={1.75} aria-hidden />
          <input
            ref={field}
            type="text"
            role="combobox"
            inputMode="search"
            enterKeyHint="go"
            aria-label="Search everything"
            aria-expanded={count > 0}
            aria-haspopup="grid"
            aria-autocomplete="list"
            aria-controls={groups.map(({ key }) => gridId(key)).join(' ') || undefined}
            aria-activedescendant={count > 0 ? selected : undefined}
            placeholder="Name, site, phone or finance number"
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={MAX_QUERY_LENGTH}
            className={`${layoutClasses.filling} ${textClasses.textColor} ${classes.field}`}
            value={text}
            onChange={(event) => openPalette(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <button
            type="button"
            className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.rigid} ${classes.close}`}
            onClick={closePalette}
          >
            <VisuallyHidden>Close search</VisuallyHidden>
            <kbd className={classes.key}>Esc</kbd>
            <IconX size={20} stroke={1.75} aria-hidden className={classes.closeIcon} />
          </button>
        </div>
        <div className={`${layoutClasses.scrolling} ${classes.hits}`}>
          <PaletteMessage text={text} found={found} isEmpty={isEmpty} count={count} />
          {groups.map((group) => (
            <PaletteGroup key={group.key} id={gridId(group.key)} group={group} onlyKind={onlyKind} onOnlyKind={showOnly}>
              {group.hits.map((hit, within) => {
                const index = group.from + within
                return (
                  <HitRow
                    key={rowId(index)}
                    id={rowId(index)}
                    hit={hit}
                    typed={text}
                    marks={marks}
                    on={on}
                    selected={index === at}
                    onSelect={() => select(index)}
                    onAction={(action) => {
                      closePalette()
                      onAction(action)
                    }}
                  />
                )
              })}
            </PaletteGroup>
          ))}
        </div>
        <PaletteFoot summary={formatSummary(groups)} count={count} state={state} />
      </div>
    </dialog>
  )
}
