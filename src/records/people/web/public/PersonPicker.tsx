import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { normalizeText } from '../../../../contract/text-match.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listPeople } from '../../contract.ts'
import type { Person } from '../../contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './PersonPicker.module.css'

const MAX_MATCHES = 3

const findMatches = (people: readonly Person[], typed: string, excludedId: string | undefined): Person[] => {
  const words = normalizeText(typed).trim()
  return words === ''
    ? []
    : people
        .filter(({ _id, name, leftAt }) => leftAt === null && _id !== excludedId && normalizeText(name).includes(words))
        .slice(0, MAX_MATCHES)
}

const PersonLine = ({ person, action, onAct }: { person: Person; action: string; onAct: () => void }) => (
  <div className={layoutClasses.choiceRow}>
    <Avatar name={person.name} size={36} />
    <span className={layoutClasses.fillingColumn}>
      <strong>{person.name}</strong>
      <span className={classes.detail}>{person.email ?? 'No email on file'}</span>
    </span>
    <Button size="compact-md" variant="default" aria-label={`${action} ${person.name}`} onClick={onAct}>
      {action}
    </Button>
  </div>
)

interface PersonPickerProps {
  label: string
  chosen: Person | null
  /** The `_id` of a person who is not offered. */
  excludedId?: string
  /** Whether the field is focused when its dialog opens. */
  isFirst?: boolean
  onChoose: (person: Person | null) => void
}

/** Selects a person by name. People who have left are not offered. */
export const PersonPicker = ({ label, chosen, excludedId, isFirst = false, onChoose }: PersonPickerProps) => {
  const { data: people } = useQuery(callQueryOptions(listPeople))
  const [typed, setTyped] = useState('')
  const search = useRef<HTMLInputElement>(null)
  if (chosen) {
    const remove = () => {
      onChoose(null)
      // The pressed button is removed: move focus to the search field.
      requestAnimationFrame(() => search.current?.focus())
    }
    return <PersonLine person={chosen} action="Remove" onAct={remove} />
  }
  const found = findMatches(people ?? [], typed, excludedId)
  return (
    <div>
      <TextInput
        ref={search}
        label={label}
        placeholder="Type a name"
        type="search"
        autoComplete="off"
        {...(isFirst ? { 'data-autofocus': true } : {})}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <div role="status" className={classes.status}>
        {typed.trim() !== '' && people && found.length === 0 ? 'No one with that name was found.' : null}
        {typed.trim() !== '' && !people ? 'Searching …' : null}
      </div>
      {found.map((one) => (
        <PersonLine key={one._id} person={one} action="Select" onAct={() => onChoose(one)} />
      ))}
    </div>
  )
}
