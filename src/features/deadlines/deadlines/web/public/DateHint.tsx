import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCalendarCheck, IconCalendarOff, IconCalendarQuestion } from '@tabler/icons-react'
import { createContext, type KeyboardEvent, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { formatDay } from '../../../../../contract/dates.ts'
import { findSourceOfPath } from '../../../../../contract/deadlines.ts'
import { useCan } from '../../../../../platform/web/caller.ts'
import { send } from '../../../../../platform/web/client.ts'
import { showError } from '../../../../../platform/web/error-banner.ts'
import { errorMessage, isSignedOut } from '../../../../../platform/web/failures.ts'
import type { BelowFieldProps } from '../../../../../platform/web/form/fields.ts'
import { queryClient } from '../../../../../platform/web/queries.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import { type DeadlineText, listDeadlineTexts, updateDeadline } from '../../contract.ts'
import { ConfirmDates } from '../ConfirmDates.tsx'
import { type DateHintContent, getDateHint, type PendingDate } from '../date-hint.ts'
import { toDeadlineTextsByPath, useDeadlineTexts } from '../use-deadline-texts.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './DateHint.module.css'

/** How long after the last keystroke a text is parsed. */
const READ_AFTER_MS = 300

interface ManualDates {
  readonly texts: ReadonlyMap<string, DeadlineText>
  readonly pending: ReadonlyMap<string, PendingDate>
  /** Sets the date of a text, or restores the one in the text (null); a text that is not saved yet gets it with the next save. */
  readonly set: (path: string, typed: string, date: string | null) => Promise<void>
  readonly save: (part?: string) => Promise<void>
}

const NO_TEXTS: ReadonlyMap<string, never> = new Map<string, never>()
const ManualDatesContext = createContext<ManualDates>({ texts: NO_TEXTS, pending: NO_TEXTS, set: async () => {}, save: async () => {} })

const sendDate = async ({ _id, version }: DeadlineText, date: string | null): Promise<void> => {
  try {
    await send(updateDeadline, { params: { id: _id }, body: { date }, version })
  } catch (error) {
    if (!isSignedOut(error)) showError(errorMessage(error))
  }
  await queryClient.invalidateQueries()
}

/** The stored text for a path of the form; for a row that was just added, the one with the same text. */
const findSaved = (texts: ReadonlyMap<string, DeadlineText>, path: string, { text }: PendingDate): DeadlineText | undefined => {
  const isSame = (one: DeadlineText | undefined): boolean => one?.text.trim() === text.trim()
  const atPath = texts.get(path)
  if (isSame(atPath)) return atPath
  const [part, row, field] = path.split('.')
  if (row !== 'new') return undefined
  return [...texts.values()].find((one) => one.section === part && one.field === field && isSame(one) && one.date === null)
}

/** Dates set by hand in the form of a charter affair, for its date hints. */
export const ManualDatesProvider = ({ charter, children }: { charter: string; children: ReactNode }) => {
  const { data } = useDeadlineTexts(charter)
  const texts = useMemo(() => toDeadlineTextsByPath(data ?? []), [data])
  const [pending, setPending] = useState<ReadonlyMap<string, PendingDate>>(NO_TEXTS)
  const latest = useRef(pending)
  const change = useCallback((next: ReadonlyMap<string, PendingDate>) => {
    latest.current = next
    setPending(next)
  }, [])
  const set = useCallback(
    async (path: string, typed: string, date: string | null) => {
      const stored = texts.get(path)
      if (stored?.text === typed) return sendDate(stored, date)
      const others = [...latest.current].filter(([other]) => other !== path)
      change(new Map(date === null ? others : [...others, [path, { text: typed, date }]]))
    },
    [texts, change],
  )
  const save = useCallback(
    async (part = '') => {
      const due = [...latest.current].filter(([path]) => path.startsWith(part))
      if (due.length === 0) return
      change(new Map([...latest.current].filter(([path]) => !path.startsWith(part))))
      try {
        const saved = toDeadlineTextsByPath(await send(listDeadlineTexts, { params: { id: charter } }))
        for (const [path, one] of due) {
          const text = findSaved(saved, path, one)
          if (text) await sendDate(text, one.date)
        }
      } catch (error) {
        if (!isSignedOut(error)) showError(errorMessage(error))
      }
    },
    [charter, change],
  )
  const dates = useMemo(() => ({ texts, pending, set, save }), [texts, pending, set, save])
  return <ManualDatesContext value={dates}>{children}</ManualDatesContext>
}

/** Saves the dates set by hand; called after the texts are saved, with the saved part. */
export const useSaveManualDates = (): ManualDates['save'] => use(ManualDatesContext).save

const ICONS = { ok: IconCalendarCheck, wait: IconCalendarQuestion, off: IconCalendarOff } as const

interface WordsProps {
  readonly hint: DateHintContent
  readonly label: string
  /** Undefined for users who may not set a date. */
  readonly onPick: ((date: string) => void) | undefined
  readonly onOpen: () => void
}

const Words = ({ hint: { lead, date, tail, choices, action }, label, onPick, onOpen }: WordsProps) => {
  const open = (words: string) => (
    <button
      type="button"
      className={`${textClasses.strong} ${textClasses.underlined} ${textClasses.inheritedColor} ${classes.action}`}
      onClick={onOpen}
    >
      {words}
      <VisuallyHidden component="span"> {label}</VisuallyHidden>
    </button>
  )
  return (
    <span>
      {lead}
      {date === null ? null : (
        <>
          {' '}
          <strong>{formatDay(date)}</strong>
        </>
      )}
      {choices.length > 0 && onPick ? (
        <>
          {' '}
          <ConfirmDates dates={choices.map((choice) => ({ date: choice }))} label={label} onConfirm={onPick} />
        </>
      ) : null}
      {action === 'set it by hand' && onPick ? <> {open(action)}</> : null}
      {tail === null ? null : ` · ${tail}`}
      {action === 'Change' && onPick ? <> · {open(action)}</> : null}
    </span>
  )
}

interface EditorProps {
  readonly label: string
  readonly start: string
  readonly canRemove: boolean
  readonly onSet: (date: string | null) => void
  readonly onClose: () => void
}

const Editor = ({ label, start, canRemove, onSet, onClose }: EditorProps) => {
  const [date, setDate] = useState(start)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const isDay = /^[12]\d{3}-\d\d-\d\d$/.test(date)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // Enter would submit the form.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else if (isDay) onSet(date)
  }
  return (
    <div
      className={`${layoutClasses.toolbar} ${layoutClasses.gap6} ${layoutClasses.topMargin6}`}
      role="group"
      aria-label={`Date of ${label}`}
    >
      <TextInput
        type="date"
        size="xs"
        aria-label={`Date of ${label}`}
        min="1900-01-01"
        max="2199-12-31"
        className={classes.day}
        value={date}
        ref={input}
        onChange={(event) => setDate(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button size="compact-sm" variant="default" disabled={!isDay} onClick={() => onSet(date)}>
        Set the date
      </Button>
      {canRemove ? (
        <Button size="compact-sm" variant="default" onClick={() => onSet(null)}>
          Use the text
        </Button>
      ) : null}
      <Button size="compact-sm" variant="default" onClick={onClose}>
        Cancel
      </Button>
    </div>
  )
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Below a field that has a deadline: the date found in its text, or a control to set it by hand. It never blocks saving. */
export const DateHint = ({ path, value, label }: BelowFieldProps) => {
  const { texts, pending, set } = use(ManualDatesContext)
  const mayManage = useCan('manage deadlines')
  const typed = toText(value)
  const [settled] = useDebouncedValue(typed, READ_AFTER_MS)
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const today = getToday()
  const hint = useMemo(
    () => getDateHint({ typed: settled, source: findSourceOfPath(path), stored: texts.get(path), pending: pending.get(path), today }),
    [settled, texts, pending, path, today],
  )
  const Icon = hint ? ICONS[hint.tone] : null
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  const pick = (date: string | null) => {
    close()
    void set(path, typed, date)
  }
  return (
    <div ref={root} className={classes.below}>
      <p className={`${layoutClasses.breakable} ${textClasses.hint} ${classes.hint}`} data-tone={hint?.tone} aria-live="polite">
        {hint && Icon ? (
          <>
            <Icon size={16} stroke={1.75} aria-hidden />
            <Words hint={hint} label={label} onPick={mayManage ? pick : undefined} onOpen={() => setOpen(true)} />
          </>
        ) : null}
      </p>
      {isOpen && hint ? (
        <Editor
          label={label}
          start={hint.date ?? hint.choices[0] ?? ''}
          canRemove={hint.action === 'Change'}
          onSet={pick}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

/** Below a field that contains a day: its distance. */
export const DayHint = ({ value }: BelowFieldProps) => <DateHint path="" label="" value={formatDay(toText(value))} />
