import { Checkbox, NativeSelect, Select } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { RECORD_NOUNS } from '../../../contract/records.ts'
import { isClosed } from '../../../contract/status.ts'
import { useBulkPreview, useBulkSave } from '../../../features/changing/changesets/web/queries.ts'
import { DayInput } from '../../../platform/web/form/DayInput.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { getToday } from '../../../platform/web/today.ts'
import type { Person, Role } from '../../../records/people/contract.ts'
import { PersonPicker } from '../../../records/people/web/public/PersonPicker.tsx'
import { useRoles } from '../../../records/people/web/queries.ts'
import { ROLE_REQUIRED } from '../../../records/site-staff/contract.ts'
import type { CoveredSite } from '../contract.ts'
import { sortBySiteName } from '../rules.ts'
import { describeMove, findMoveProblem, listOthers, listPositionsOf, listRolesOf, type Move, toMoveChanges } from './move.ts'
import { useCoverage } from './queries.ts'
import type { Holder } from './reorganize.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

const NO_SITES: readonly CoveredSite[] = []
const NO_ROLES: readonly Role[] = []
const MAX_HITS = 30

/** One leader is replaced unless the user says otherwise; other roles are often shared. */
const getReplaced = (others: readonly Holder[], role: Role | undefined): ReadonlySet<string> =>
  new Set(role?.group === 'LEADERSHIP' && others.length === 1 ? others.map(({ _id }) => _id) : [])

interface MoveDialogProps {
  person: Holder
  isUnassigned: boolean
  onClose: () => void | Promise<void>
}

/** Moves a person to another site or role, or gives them a role: today, or on a later day as a planned change. */
export const MoveDialog = ({ person, isUnassigned, onClose }: MoveDialogProps) => {
  const coverage = useCoverage()
  const { data: sites = NO_SITES } = coverage
  const siteField = useRef<HTMLInputElement>(null)
  const roleField = useRef<HTMLSelectElement>(null)
  const isLoaded = coverage.isSuccess
  // A field is disabled, and cannot have the focus, until there is something to choose from.
  useEffect(() => {
    if (isLoaded) siteField.current?.focus()
  }, [isLoaded])
  const { data: roles = NO_ROLES } = useRoles()
  const positions = useMemo(() => listPositionsOf(sortBySiteName(sites), person._id), [sites, person._id])
  const [today] = useState(getToday)
  const [fromIndex, setFromIndex] = useState(0)
  const [siteId, setSiteId] = useState<string | null>(null)
  const [chosenRole, setChosenRole] = useState<string | null>(null)
  const [chosenReplaced, setChosenReplaced] = useState<ReadonlySet<string> | null>(null)
  const [successor, setSuccessor] = useState<Person | null>(null)
  const [day, setDay] = useState(today)
  const [isMissingShown, setMissingShown] = useState(false)

  const from = positions[fromIndex] ?? null
  const site = sites.find(({ _id }) => _id === siteId) ?? null
  const offered = listRolesOf(roles, site)
  const role = offered.find(({ name }) => name === (chosenRole ?? from?.role))
  const to = site && role ? { site, role: role.name } : null
  const others = to ? listOthers(to, person) : []
  const replaced = chosenReplaced ?? getReplaced(others, role)
  const move: Move | null = to && { person, from, to, replaced, successor }
  const problem = move && findMoveProblem(move)
  const own = move && problem === null ? toMoveChanges(move, new Map(roles.map(({ _id, name }) => [name, _id]))) : null
  const bulk = own && { kind: 'site' as const, ids: Object.keys(own), changes: {}, own }
  const preview = useBulkPreview(bulk)
  const rows = bulk !== null && preview.data && !preview.isPlaceholderData && !preview.isFetching ? preview.data.rows : []
  const planned = rows.find(({ plannedFor }) => plannedFor !== null)
  const isLater = day > today
  const saving = useBulkSave(RECORD_NOUNS.site, onClose)
  const errors = rows.flatMap((row) => row.errors.map(({ message }) => message))
  const obstacle =
    problem ??
    errors[0] ??
    (planned
      ? `A change of ${planned.name} is already planned for ${formatDay(planned.plannedFor ?? '')}. Cancel it first under Planned changes.`
      : null)
  const sentences = move && day >= today ? describeMove(move, isLater ? day : null) : []
  const change = () => saving.reset()
  const verb = isUnassigned ? 'Give Role' : 'Move'
  return (
    <Dialog
      title={isUnassigned ? `Give ${person.name} a role at a site` : `Move ${person.name}`}
      confirmLabel={isLater ? `${verb} on ${formatDay(day)}` : verb}
      isDisabled={(move !== null && rows.length === 0) || obstacle !== null || day < today}
      size={560}
      isBusy={saving.isPending}
      error={saving.error ?? preview.error ?? coverage.error}
      onConfirm={() => {
        setMissingShown(true)
        if (bulk) saving.mutate({ bulk, rows, day: isLater ? day : null, ...(sentences[0] ? { text: sentences[0] } : {}) })
        else (site ? roleField : siteField).current?.focus()
      }}
      onClose={() => void onClose()}
    >
      {positions.length > 0 ? (
        <NativeSelect
          label="From"
          data={[
            ...positions.map((position, index) => ({ value: String(index), label: `${position.role}, ${position.site.displayName}` })),
            { value: String(positions.length), label: 'Keeps every role and gets one more' },
          ]}
          value={String(fromIndex)}
          onChange={(event) => {
            change()
            setFromIndex(Number(event.currentTarget.value))
          }}
        />
      ) : null}
      <Select
        label="To the site"
        required
        searchable
        ref={siteField}
        openOnFocus={false}
        disabled={coverage.isPending}
        allowDeselect={false}
        data={sortBySiteName(sites.filter(({ status }) => !isClosed(status))).map(({ _id, displayName, city, state }) => ({
          value: _id,
          label: [displayName, [city, state].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
        }))}
        limit={MAX_HITS}
        placeholder={coverage.isPending ? 'Loading...' : 'Type to find'}
        nothingFoundMessage="Nothing found"
        comboboxProps={{ withinPortal: true, shadow: 'md' }}
        value={siteId}
        error={isMissingShown && !site ? 'Please choose a site' : undefined}
        onChange={(next) => {
          change()
          setSiteId(next)
          setChosenReplaced(null)
        }}
      />
      <NativeSelect
        label="Role"
        required
        ref={roleField}
        error={isMissingShown && !role ? ROLE_REQUIRED : undefined}
        data={[...(role ? [] : [{ value: '', label: 'Choose a role' }]), ...offered.map(({ name }) => ({ value: name, label: name }))]}
        value={role?.name ?? ''}
        onChange={(event) => {
          change()
          setChosenRole(event.currentTarget.value)
          setChosenReplaced(null)
        }}
      />
      {others.map(({ _id, name }) => (
        <Checkbox
          key={_id}
          label={`Replaces ${name}`}
          checked={replaced.has(_id)}
          onChange={({ currentTarget }) => {
            change()
            const next = new Set(replaced)
            if (currentTarget.checked) next.add(_id)
            else next.delete(_id)
            setChosenReplaced(next)
          }}
        />
      ))}
      <DayInput
        value={day}
        today={today}
        onChange={(next) => {
          change()
          setDay(next)
        }}
      />
      {from ? (
        <PersonPicker
          label={`Who takes over as ${from.role} of ${from.site.displayName}?`}
          placeholder="No one: leave vacant"
          chosen={successor}
          excludedId={person._id}
          onChoose={(next) => {
            change()
            setSuccessor(next)
          }}
        />
      ) : null}
      <div role="status" className={layoutClasses.stack}>
        {obstacle === null ? (
          sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : (
          <p className={textClasses.error}>{obstacle}</p>
        )}
      </div>
    </Dialog>
  )
}
