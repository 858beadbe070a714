import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { formatCount } from '../../../contract/format.ts'
import { getFirstName } from '../../../contract/user.ts'
import { getDayBefore } from '../../../features/changing/changesets/rules.ts'
import { usePlan } from '../../../features/changing/changesets/web/queries.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { DayInput } from '../../../platform/web/form/DayInput.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import type { LeavingPerson } from '../../../platform/web/record-features.tsx'
import { getToday } from '../../../platform/web/today.ts'
import type { Person } from '../../../records/people/contract.ts'
import { PersonPicker } from '../../../records/people/web/public/PersonPicker.tsx'
import type { HeldPosition, DeparturePreview } from '../contract.ts'
import { getPositionKey, LEAVING } from '../rules.ts'
import { groupByRole, PositionNames } from './PositionNames.tsx'
import { useCreateDeparture, useDeparturePreview, usePlanDeparture } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Departure.module.css'

/** The new holders of roles. */
type Successors = ReadonlyMap<string, Person>

interface RoleRowsProps {
  /** Positions of one role. */
  positions: readonly HeldPosition[]
  leaver: string
  successors: Successors
  onGive: (positions: readonly HeldPosition[], to: Person | null) => void
}

const isVacated = (successors: Successors) => (position: HeldPosition) => position.isOnly && !successors.has(position._id)

/** 'Becomes vacant', '2 of 7 become vacant' */
const formatVacated = (count: number, all: number): string =>
  all === 1 ? 'Becomes vacant' : count === all ? `All ${all} become vacant` : `${count} of ${all} become${count === 1 ? 's' : ''} vacant`

/** The positions of a role: one line, until they are assigned to different people. */
const RoleRows = ({ positions, leaver, successors, onGive }: RoleRowsProps) => {
  const [isGiving, setGiving] = useState(false)
  const [isSplit, setSplit] = useState(false)
  const [position, another] = positions
  if (!position) return null
  const people = new Map(positions.map(({ _id }) => [successors.get(_id)?._id, successors.get(_id)]))
  if (another && (isSplit || people.size > 1))
    return positions.map((one) => <RoleRows key={one._id} positions={[one]} leaver={leaver} successors={successors} onGive={onGive} />)
  const successor = successors.get(position._id) ?? null
  const vacated = positions.filter(isVacated(successors)).length
  const what = `${position.role.name}, ${another ? formatCount(positions.length, 'site') : position.site.displayName}`
  return (
    <li className={`${layoutClasses.lineAbove} ${layoutClasses.blockPadding10}`}>
      <div className={`${layoutClasses.toolbar} ${classes.positionHead}`}>
        <PositionNames positions={positions} />
        {vacated > 0 ? (
          <span className={`${textClasses.bad} ${textClasses.smallFont} ${textClasses.strong}`}>
            {formatVacated(vacated, positions.length)}
          </span>
        ) : null}
        {isGiving || successor ? null : (
          <Button size="compact-md" variant="default" aria-label={`Assign to someone else: ${what}`} onClick={() => setGiving(true)}>
            Assign to Someone Else
          </Button>
        )}
        {another ? (
          <Button size="compact-md" variant="default" aria-label={`Assign site by site: ${what}`} onClick={() => setSplit(true)}>
            Assign Site by Site
          </Button>
        ) : null}
      </div>
      {isGiving || successor ? (
        <PersonPicker
          label={`New person for ${what}`}
          chosen={successor}
          excludedId={leaver}
          onChoose={(person) => onGive(positions, person)}
        />
      ) : null}
    </li>
  )
}

interface RoleListProps extends RoleRowsProps {
  /** A later day; null for today. */
  lastDay: string | null
}

const RoleList = ({ positions, leaver, successors, lastDay, onGive }: RoleListProps) => {
  const empty = positions.filter(isVacated(successors))
  const groups = groupByRole(positions)
  return (
    <>
      <p role="status">
        {formatCount(positions.length, 'role')} will end{lastDay === null ? '' : ` after ${formatDay(lastDay)}`}
        {empty.length > 0 ? `, leaving ${formatCount(empty.length, 'position')} vacant` : ''}.
      </p>
      {empty.length > 1 && groups.length > 1 ? (
        <PersonPicker
          label={`Assign all ${empty.length} vacant positions to`}
          chosen={null}
          excludedId={leaver}
          onChoose={(person) => person && onGive(empty, person)}
        />
      ) : null}
      <ul className={`${layoutClasses.scrolling} ${classes.positions}`} aria-label="Roles that will end">
        {groups.map((group) => (
          <RoleRows key={group[0]?.role._id} positions={group} leaver={leaver} successors={successors} onGive={onGive} />
        ))}
      </ul>
    </>
  )
}

interface DeadlinePartProps {
  deadlines: DeparturePreview['deadlines']
  leaver: string
  successor: Person | null
  onGive: (to: Person | null) => void
}

/** Their responsibilities, and who takes them over. */
const DeadlinePart = ({ deadlines: { deadlines, settings }, leaver, successor, onGive }: DeadlinePartProps) => {
  if (deadlines + settings === 0) return null
  const what = [
    ...(deadlines > 0 ? [formatCount(deadlines, 'deadline')] : []),
    ...(settings > 0 ? [`${formatCount(settings, 'kind')} of deadlines in Settings`] : []),
  ].join(' and ')
  return (
    <div>
      <p role="status">
        {what} {deadlines + settings === 1 ? 'names' : 'name'} this person as responsible.{' '}
        {successor ? null : (
          <span className={`${textClasses.bad} ${textClasses.smallFont} ${textClasses.strong}`}>No one will be responsible</span>
        )}
      </p>
      <PersonPicker label="New responsible person" chosen={successor} excludedId={leaver} onChoose={onGive} />
    </div>
  )
}

const RequestNotice = ({ leaving: { changeRequestsOf, getsSupportRequests } }: { leaving: DeparturePreview }) => {
  const maySet = useCan('change the settings')
  const what = [
    ...changeRequestsOf.map((region) => `change requests of ${region ?? 'all other regions'}`),
    ...(getsSupportRequests ? ['IT support requests'] : []),
  ]
  if (what.length === 0) return null
  return (
    <li>
      Their email address still receives {what.join(', ')}.{' '}
      {maySet ? <TextLink to="/settings">Change this in Settings</TextLink> : 'Someone at level 5 can change this in Settings.'}
    </li>
  )
}

/** Marks a person as left: shows what ends and which positions become vacant, and reassigns them. */
export const DepartureModal = ({ person, onClose }: { person: LeavingPerson; onClose: () => void }) => {
  const leaving = useDeparturePreview(person)
  const marking = useCreateDeparture(person, onClose)
  const plan = usePlan({ kind: 'person', _id: person._id })
  const planning = usePlanDeparture(plan, onClose)
  const [today] = useState(getToday)
  const [lastDay, setLastDay] = useState(today)
  const isLater = lastDay > today
  const [planned] = (isLater && plan?.coming[`${LEAVING}.left`]) || []
  const [successors, setSuccessors] = useState<Successors>(new Map())
  const [deadlinesTo, setDeadlinesTo] = useState<Person | null>(null)
  const name = getFirstName(person.name)
  const change = () => {
    marking.reset()
    planning.reset()
  }
  const give = (positions: readonly HeldPosition[], to: Person | null) => {
    change()
    setSuccessors((before) => {
      const next = new Map(before)
      for (const { _id } of positions) {
        if (to) next.set(_id, to)
        else next.delete(_id)
      }
      return next
    })
  }
  const { data } = leaving
  const save = () => {
    const given = (data?.places ?? []).flatMap(({ _id, site, role }) => {
      const to = successors.get(_id)?._id
      return to === undefined ? [] : [{ place: _id, position: getPositionKey(site._id, role._id), person: to }]
    })
    if (isLater)
      planning.mutate({
        lastDay,
        handOver: Object.fromEntries(given.map(({ position, person: to }) => [position, to])),
        deadlinesTo: deadlinesTo?._id,
      })
    else
      marking.mutate({
        handOver: given.map(({ place, person: to }) => ({ place, person: to })),
        deadlinesTo: deadlinesTo?._id ?? null,
      })
  }
  return (
    <Dialog
      title={`Mark ${person.name} as no longer employed?`}
      confirmLabel={isLater ? `Plan for ${formatDay(lastDay)}` : 'Mark as No Longer Employed'}
      isDestructive
      size={640}
      isDisabled={!data || lastDay < today || planned !== undefined}
      isBusy={marking.isPending || planning.isPending}
      error={marking.error ?? planning.error ?? leaving.error}
      onConfirm={save}
      onClose={onClose}
    >
      {data ? (
        <>
          {plan ? (
            <DayInput
              label="Last day"
              value={lastDay}
              today={today}
              onChange={(day) => {
                change()
                setLastDay(day)
              }}
            />
          ) : null}
          {planned ? (
            <p className={textClasses.error}>
              The last day is already planned: {formatDay(getDayBefore(planned.day))}. Cancel it first under Planned changes.
            </p>
          ) : null}
          {data.places.length > 0 ? (
            <RoleList
              positions={data.places}
              leaver={person._id}
              successors={successors}
              lastDay={isLater ? lastDay : null}
              onGive={give}
            />
          ) : (
            <p>{name} has no role at a site.</p>
          )}
          <DeadlinePart
            deadlines={data.deadlines}
            leaver={person._id}
            successor={deadlinesTo}
            onGive={(to) => {
              change()
              setDeadlinesTo(to)
            }}
          />
          <ul className={classes.otherEffects}>
            {data.accessLevel === null ? null : (
              <li>
                {name} will lose <strong>level {data.accessLevel}</strong>.
              </li>
            )}
            <li>
              {name} will be signed out everywhere, API tokens will stop working, and {name} will no longer be able to sign in.
            </li>
            <RequestNotice leaving={data} />
            <li>
              This person’s page and history are kept. You can{' '}
              {isLater ? 'cancel this there until the last day, and undo it afterward' : 'undo all of this there'}.
            </li>
          </ul>
        </>
      ) : leaving.isError ? null : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}
