import { useId } from 'react'

import { AUDIT_KINDS } from '../../../../contract/audit.ts'
import { Chips, FilterChoice, Filters, SearchField } from '../../../../platform/web/list/Filters.tsx'
import type { ListSearch } from '../../../../platform/web/list/use-list-search.ts'
import type { AuditFilter } from '../contract.ts'
import { getKindLabel } from './format-event.ts'
import { useAuditActors } from './queries.ts'

import classes from './AuditPage.module.css'

const SORTED_KINDS = Object.keys(AUDIT_KINDS).toSorted((one, other) => getKindLabel(one).localeCompare(getKindLabel(other)))

interface DayFieldProps {
  readonly label: string
  readonly day: string | undefined
  readonly onDay: (day: string | undefined) => void
}

const DayField = ({ label, day, onDay }: DayFieldProps) => {
  const id = useId()
  return (
    <span className={classes.day}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={day ?? ''} onChange={({ currentTarget: { value } }) => onDay(value || undefined)} />
    </span>
  )
}

interface AuditFiltersProps {
  readonly filter: AuditFilter
  readonly typed: ListSearch
  readonly onChange: (change: Partial<Record<'kind' | 'actor' | 'since' | 'until', string | undefined>>) => void
}

/** Search and filters of the audit trail. */
export const AuditFilters = ({ filter: { kind, actor, since, until }, typed, onChange }: AuditFiltersProps) => {
  const { data: actors = [] } = useAuditActors()
  const people = actors.map((one) => ({ value: one.actor, label: one.name === one.actor ? one.name : `${one.name} (${one.actor})` }))
  const person = actor === undefined ? undefined : (people.find(({ value }) => value === actor)?.label ?? actor)
  const kindLabel = kind === undefined ? undefined : getKindLabel(kind)
  return (
    <Filters>
      <SearchField label="Person, record, address or value" typed={typed} />
      <Chips label="Filters">
        <FilterChoice
          label="Event"
          all="All events"
          choices={SORTED_KINDS.map(getKindLabel)}
          chosen={kindLabel}
          onChoose={(label) => onChange({ kind: SORTED_KINDS.find((one) => getKindLabel(one) === label) })}
          remove={`Remove event ${kindLabel}`}
        />
        <FilterChoice
          label="Person"
          all="Anyone"
          choices={people.map(({ label }) => label)}
          chosen={person}
          onChoose={(label) => onChange({ actor: people.find((one) => one.label === label)?.value })}
          remove={`Remove person ${person}`}
        />
        <DayField label="From" day={since} onDay={(day) => onChange({ since: day })} />
        <DayField label="To" day={until} onDay={(day) => onChange({ until: day })} />
      </Chips>
    </Filters>
  )
}
