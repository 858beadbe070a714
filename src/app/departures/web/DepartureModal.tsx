import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { getFirstName } from '../../../contract/user.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import type { LeavingPerson } from '../../../platform/web/record-features.tsx'
import type { Person } from '../../../records/people/contract.ts'
import { PersonPicker } from '../../../records/people/web/public/PersonPicker.tsx'
import type { HeldPosition, DeparturePreview } from '../contract.ts'
import { useDeparturePreview, useCreateDeparture } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Departure.module.css'

/** The new holders of roles. */
type Successors = ReadonlyMap<string, Person>

interface RoleRowProps {
  position: HeldPosition
  leaver: string
  successor: Person | null
  onGive: (to: Person | null) => void
}

const RoleRow = ({ position: { site, role, isOnly }, leaver, successor, onGive }: RoleRowProps) => {
  const [isGiving, setGiving] = useState(false)
  const what = `${role.name}, ${site.displayName}`
  return (
    <li className={`${layoutClasses.lineAbove} ${classes.position}`}>
      <div className={`${layoutClasses.toolbar} ${classes.positionHead}`}>
        <span className={`${layoutClasses.column} ${textClasses.lines} ${classes.text}`}>
          <strong>{site.displayName}</strong>
          <span className={textClasses.detail}>{role.name}</span>
        </span>
        {isOnly && !successor ? (
          <span className={`${textClasses.bad} ${textClasses.smallFont} ${textClasses.strong}`}>Will be vacant</span>
        ) : null}
        {isGiving || successor ? null : (
          <Button size="compact-md" variant="default" aria-label={`Assign to someone else: ${what}`} onClick={() => setGiving(true)}>
            Assign to Someone Else
          </Button>
        )}
      </div>
      {isGiving || successor ? (
        <PersonPicker label={`New person for ${what}`} chosen={successor} excludedId={leaver} onChoose={onGive} />
      ) : null}
    </li>
  )
}

const RoleList = ({ positions, leaver, successors, onGive }: RoleListProps) => {
  const empty = positions.filter(({ _id, isOnly }) => isOnly && !successors.has(_id))
  return (
    <>
      <p role="status">
        {formatCount(positions.length, 'role')} will end
        {empty.length > 0 ? `, leaving ${formatCount(empty.length, 'position')} vacant` : ''}.
      </p>
      {empty.length > 1 ? (
        <PersonPicker
          label={`Assign all ${empty.length} vacant positions to`}
          chosen={null}
          excludedId={leaver}
          onChoose={(person) => person && onGive(empty, person)}
        />
      ) : null}
      <ul className={`${layoutClasses.scrolling} ${classes.positions}`} aria-label="Roles that will end">
        {positions.map((position) => (
          <RoleRow
            key={position._id}
            position={position}
            leaver={leaver}
            successor={successors.get(position._id) ?? null}
            onGive={(person) => onGive([position], person)}
          />
        ))}
      </ul>
    </>
  )
}
interface RoleListProps {
  positions: readonly HeldPosition[]
  leaver: string
  successors: Successors
  onGive: (positions: readonly HeldPosition[], to: Person | null) => void
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
  const [successors, setSuccessors] = useState<Successors>(new Map())
  const [deadlinesTo, setDeadlinesTo] = useState<Person | null>(null)
  const name = getFirstName(person.name)
  const give = (positions: readonly HeldPosition[], to: Person | null) => {
    marking.reset()
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
  return (
    <Dialog
      title={`Mark ${person.name} as no longer employed?`}
      confirmLabel="Mark as No Longer Employed"
      isDestructive
      size={640}
      isDisabled={!data}
      isBusy={marking.isPending}
      error={marking.error ?? leaving.error}
      onConfirm={() =>
        marking.mutate({
          handOver: [...successors].map(([place, to]) => ({ place, person: to._id })),
          deadlinesTo: deadlinesTo?._id ?? null,
        })
      }
      onClose={onClose}
    >
      {data ? (
        <>
          {data.places.length > 0 ? (
            <RoleList positions={data.places} leaver={person._id} successors={successors} onGive={give} />
          ) : (
            <p>{name} has no role at a site.</p>
          )}
          <DeadlinePart
            deadlines={data.deadlines}
            leaver={person._id}
            successor={deadlinesTo}
            onGive={(to) => {
              marking.reset()
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
            <li>This person’s page and history are kept. You can undo all of this there.</li>
          </ul>
        </>
      ) : leaving.isError ? null : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}
