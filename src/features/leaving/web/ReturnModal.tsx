import { Skeleton } from '@mantine/core'

import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import type { PersonWithSites } from '../../people/contract.ts'
import { firstNameOf } from '../../session/rules.ts'
import { useLeaving, useUndoLeaving } from './queries.ts'

import classes from './Leaving.module.css'

/** Undoes that somebody left, as one: first what is there again. */
export const ReturnModal = ({ person, onClose }: { person: PersonWithSites; onClose: () => void }) => {
  const leaving = useLeaving(person)
  const undoing = useUndoLeaving(person, onClose)
  const name = firstNameOf(person.name)
  const { data } = leaving
  return (
    <Dialog
      title={`Undo that ${person.name} left?`}
      action="Undo"
      startsAtCancel
      isDisabled={!data}
      isBusy={undoing.isPending}
      error={undoing.error ?? leaving.error}
      onAct={() => undoing.mutate()}
      onClose={onClose}
    >
      {data ? (
        <>
          {data.left?.by ? <p className={classes.line}>Marked as left by {data.left.by}.</p> : null}
          {data.places.length > 0 ? (
            <>
              <p className={classes.line}>{name} holds these again, and who got one instead gives it back:</p>
              <ul className={classes.places} aria-label="Roles that come back">
                {data.places.map(({ _id, role, site }) => (
                  <li key={_id} className={classes.place}>
                    <span className={classes.words}>
                      <strong>{role.name}</strong>
                      <span className={classes.detail}>{site.displayName}</span>
                    </span>
                  </li>
                ))}
              </ul>
            </>
          ) : null}
          <ul className={classes.also}>
            {data.accessLevel === null ? null : (
              <li>
                {name} has <strong>level {data.accessLevel}</strong> again.
              </li>
            )}
            <li>{name} may sign in again.</li>
          </ul>
        </>
      ) : leaving.isError ? null : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}
