import { Skeleton } from '@mantine/core'

import { getFirstName } from '../../../contract/user.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import type { LeavingPerson } from '../../../platform/web/record-features.tsx'
import { groupByRole, PositionNames } from './PositionNames.tsx'
import { useDeparturePreview, useDeleteDeparture } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Departure.module.css'

/** Undoes a departure: shows what is restored. */
export const UndoDepartureModal = ({ person, onClose }: { person: LeavingPerson; onClose: () => void }) => {
  const leaving = useDeparturePreview(person)
  const undoing = useDeleteDeparture(person, onClose)
  const name = getFirstName(person.name)
  const { data } = leaving
  return (
    <Dialog
      title={`Restore ${person.name} as an employee?`}
      confirmLabel="Restore"
      focusesCancel
      isDisabled={!data}
      isBusy={undoing.isPending}
      error={undoing.error ?? leaving.error}
      onConfirm={() => undoing.mutate()}
      onClose={onClose}
    >
      {data ? (
        <>
          {data.left?.by ? <p>Marked as no longer employed by {data.left.by}.</p> : null}
          {data.places.length > 0 ? (
            <>
              <p>These roles will be restored. Anyone who was assigned one of them will lose it:</p>
              <ul className={`${layoutClasses.scrolling} ${classes.positions}`} aria-label="Roles that will be restored">
                {groupByRole(data.places).map((positions) => (
                  <li key={positions[0]?._id} className={`${layoutClasses.lineAbove} ${layoutClasses.blockPadding10}`}>
                    <PositionNames positions={positions} />
                  </li>
                ))}
              </ul>
            </>
          ) : null}
          <ul className={classes.otherEffects}>
            {data.accessLevel === null ? null : (
              <li>
                {name} will have <strong>level {data.accessLevel}</strong> access again.
              </li>
            )}
            {data.deadlines.to === null ? null : (
              <li>
                Deadlines that {data.deadlines.to} was given will be {name}’s again, unless they were given to someone else since.
              </li>
            )}
            <li>{name} will be able to sign in again.</li>
          </ul>
        </>
      ) : leaving.isError ? null : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}
