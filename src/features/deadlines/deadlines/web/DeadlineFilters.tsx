import { IconX } from '@tabler/icons-react'

import { DEADLINE_KINDS, KIND_NAMES } from '../../../../contract/deadlines.ts'
import { RECORD_NOUNS } from '../../../../contract/records.ts'
import type { Named } from '../../../../contract/references.ts'
import { Chips, Filters, FilterToggle, SearchField } from '../../../../platform/web/list/Filters.tsx'
import { NamedChoice } from '../../../../platform/web/list/NamedChoice.tsx'
import type { ListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { LINKED_KINDS, type DeadlineCounts } from '../contract.ts'
import { STATE_LABELS } from '../rules.ts'
import { useDeadlineRecords } from './deadline-records.ts'
import type { DeadlinesFilter } from './use-deadline-filter.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import chips from '../../../../platform/web/list/Filters.module.css'

const KIND_CHOICES = KIND_NAMES.map((value) => ({ value, name: DEADLINE_KINDS[value].name }))
const STATE_CHOICES = Object.entries(STATE_LABELS).map(([value, name]) => ({ value, name }))
const toChoices = (records: readonly (Named & { slug: string })[]) => records.map(({ slug, name }) => ({ value: slug, name }))

interface ChoiceProps {
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}
export const KindChoice = (props: ChoiceProps) => <NamedChoice label="Kind" all="All kinds" choices={KIND_CHOICES} {...props} />
export const CharterChoice = (props: ChoiceProps) => (
  <NamedChoice label="Charter" all="All charters" choices={toChoices(useDeadlineRecords().choices.charters)} {...props} />
)

/** A filter that only links set, from the page of a record. */
const OfRecord = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button
    type="button"
    className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${chips.chip}`}
    data-on
    onClick={onRemove}
    aria-label={`Remove ${label}`}
  >
    {label}
    <IconX size={16} stroke={2} aria-hidden />
  </button>
)

interface DeadlineFiltersProps {
  readonly filter: DeadlinesFilter
  readonly typed: ListSearch
  readonly counts: DeadlineCounts | undefined
  readonly mayReadAffairs: boolean
}

/** Search and filters of the page. */
export const DeadlineFilters = ({ filter, typed, counts, mayReadAffairs }: DeadlineFiltersProps) => {
  const { query, state, defaultState, change } = filter
  const {
    SitePicker,
    choices: { regions },
  } = useDeadlineRecords()
  const people = counts?.responsible.flatMap(({ person }) => (person ? [person] : [])) ?? []
  const { responsible } = query
  return (
    <Filters>
      <SearchField label="Title, text or charter" typed={typed} />
      <Chips label="Filters">
        {counts?.me === null && responsible !== 'me' ? null : (
          <FilterToggle label="Mine" on={responsible === 'me'} onToggle={(on) => change({ responsible: on ? 'me' : undefined })} />
        )}
        {mayReadAffairs ? <KindChoice chosen={query.kind} onChoose={(kind) => change({ kind })} /> : null}
        <NamedChoice
          label="Region"
          all="All regions"
          choices={toChoices(regions)}
          chosen={query.region}
          onChoose={(region) => change({ region })}
        />
        <CharterChoice chosen={query.charter} onChoose={(charter) => change({ charter })} />
        {LINKED_KINDS.filter((kind) => kind !== 'site' && query[kind] !== undefined).map((kind) => (
          <OfRecord key={kind} label={`One ${RECORD_NOUNS[kind][0]}`} onRemove={() => change({ [kind]: undefined })} />
        ))}
        <SitePicker chosen={query.site} onChoose={(site) => change({ site })} />
        <NamedChoice
          label="Responsible"
          all="Anyone"
          choices={[{ value: 'none', name: 'Nobody responsible' }, ...people.map(({ _id, name }) => ({ value: _id, name }))]}
          chosen={responsible === 'me' ? undefined : responsible}
          onChoose={(person) => change({ responsible: person })}
        />
        <NamedChoice
          label="State"
          all="All states"
          choices={STATE_CHOICES}
          chosen={state === 'all' ? undefined : state}
          onChoose={(next) => change({ state: (next ?? 'all') === defaultState ? undefined : (next ?? 'all') })}
        />
      </Chips>
    </Filters>
  )
}
