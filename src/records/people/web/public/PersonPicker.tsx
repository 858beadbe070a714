import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'

import { normalizeText } from '../../../../contract/text-match.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listPeople } from '../../contract.ts'
import type { Person } from '../../contract.ts'
import { findPeople, formatPosition } from '../people-search.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './PersonPicker.module.css'

const MAX_MATCHES = 3

interface PersonLineProps {
  person: Person
  action: string
  onAct: () => void
}

const PersonLine = ({ person, action, onAct }: PersonLineProps) => (
  <div className={layoutClasses.choiceRow}>
    <Avatar name={person.name} size={36} />
    <span className={layoutClasses.fillingColumn}>
      <strong>{person.name}</strong>
      <span className={classes.detail}>{formatPosition(person)}</span>
    </span>
    <Button
      size="compact-md"
      variant="default"
      aria-label={`${action} ${person.name}`}
      // Escape closes the list, not the dialog around it.
      data-mantine-stop-propagation={action === 'Select'}
      onClick={onAct}
    >
      {action}
    </Button>
  </div>
)

/** What was found, for people who read it and for screen readers. */
const formatFound = (count: number): string => {
  if (count === 0) return 'No one with that name was found.'
  if (count <= MAX_MATCHES) return 'Enter selects the first.'
  return `${(count - MAX_MATCHES).toLocaleString('en-US')} more: type more of the name. Enter selects the first.`
}

interface PersonPickerProps {
  label: string
  chosen: Person | null
  /** The `_id` of a person who is not offered. */
  excludedId?: string
  /** Whether the field is focused when its dialog opens. */
  isFirst?: boolean
  placeholder?: string
  /** What is typed at first. */
  text?: string
  /** The field of a form, which has its label outside. */
  field?: Pick<TextInputProps, 'id' | 'required' | 'error' | 'aria-describedby'>
  onChoose: (person: Person | null) => void
  /** Makes `text` what is typed now, kept outside. */
  onType?: (text: string) => void
}

/** Selects a person by name: Enter takes the first match, arrow keys move between matches. People who have left are not offered. */
export const PersonPicker = (props: PersonPickerProps) => {
  const { label, chosen, excludedId, isFirst = false, placeholder = 'Type a name', text = '', field, onChoose, onType } = props
  const box = field && classes.field
  const { data: people } = useQuery(callQueryOptions(listPeople))
  const [own, setOwn] = useState(text)
  const [typed, setTyped] = onType ? [text, onType] : [own, setOwn]
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  if (chosen) {
    const remove = () => {
      onChoose(null)
      // The pressed button is removed: move focus to the search field.
      requestAnimationFrame(() => search.current?.focus())
    }
    return (
      <div className={box}>
        <PersonLine person={chosen} action="Remove" onAct={remove} />
      </div>
    )
  }
  const isTyped = normalizeText(typed).trim() !== ''
  const found = isTyped ? findPeople(people ?? [], typed, excludedId) : []
  const [first] = found
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !onType) {
      setTyped('')
      search.current?.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const stops = [search.current, ...(list.current?.querySelectorAll('button') ?? [])]
    event.preventDefault()
    stops[stops.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus()
  }
  return (
    // The keys of the field and of the matches below it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={box} onKeyDown={move}>
      <TextInput
        ref={search}
        {...(field ?? { label })}
        placeholder={placeholder}
        type="search"
        autoComplete="off"
        {...(isFirst ? { 'data-autofocus': true } : {})}
        data-mantine-stop-propagation={isTyped}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (first) onChoose(first)
        }}
      />
      <div className={`${layoutClasses.rounded} ${classes.found}`}>
        <div ref={list}>
          {found.slice(0, MAX_MATCHES).map((one) => (
            <PersonLine key={one._id} person={one} action="Select" onAct={() => onChoose(one)} />
          ))}
        </div>
        <div role="status" className={classes.status}>
          {isTyped ? (people ? formatFound(found.length) : 'Searching…') : null}
        </div>
      </div>
    </div>
  )
}
