import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { plain } from '../../../platform/contract/text-match.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { queryClient, reading } from '../../../platform/web/queries.ts'
import { listPeople, ROLE_GROUPS } from '../../people/contract.ts'
import type { Person } from '../../people/contract.ts'
import { useRoles } from '../../people/web/queries.ts'
import type { Site } from '../../sites/contract.ts'
import { putSite } from '../../sites/web/queries.ts'
import { addSiteStaff } from '../contract.ts'
import { GROUP_TITLES } from './staffGroups.ts'

import classes from './StaffModals.module.css'

/** Section 5: at most 3 matches. */
const MOST_MATCHES = 3

const matching = (people: readonly Person[], typed: string): Person[] => {
  const words = plain(typed).trim()
  return words === '' ? [] : people.filter(({ name }) => plain(name).includes(words)).slice(0, MOST_MATCHES)
}

const PersonLine = ({ person, action, onAct }: { person: Person; action: string; onAct: () => void }) => (
  <div className={classes.person}>
    <Avatar name={person.name} size={36} />
    <span className={classes.words}>
      <strong>{person.name}</strong>
      <span className={classes.detail}>{person.email ?? 'No email on file'}</span>
    </span>
    <Button size="compact-md" variant="default" aria-label={`${action} ${person.name}`} onClick={onAct}>
      {action}
    </Button>
  </div>
)

/** Puts somebody on the staff of a site: found by name, then given a role; saved only when both are there (section 4). */
export const AddStaffModal = ({ site, onClose }: { site: Site; onClose: () => void }) => {
  const { data: people } = useQuery(reading(listPeople))
  const { data: roles = [] } = useRoles()
  const [typed, setTyped] = useState('')
  const [person, setPerson] = useState<Person | null>(null)
  const [role, setRole] = useState('')
  const saving = useMutation({
    mutationFn: (chosen: Person) =>
      withSignIn(() => send(addSiteStaff, { params: { id: site._id }, body: { person: chosen._id, role_match: role } })),
    onSuccess: ({ people: staff }) => {
      putSite({ ...site, people: staff })
      void queryClient.invalidateQueries()
      onClose()
    },
  })
  const found = matching(people ?? [], typed)
  const roleField = useRef<HTMLSelectElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const choose = (next: Person | null) => {
    setPerson(next)
    saving.reset()
    // The pressed button goes with its line: on to what comes next.
    requestAnimationFrame(() => (next ? roleField : search).current?.focus())
  }
  return (
    <Dialog
      title="Add Staff"
      action="Save"
      isDisabled={person === null || role === ''}
      isBusy={saving.isPending}
      error={saving.error}
      onAct={() => person && saving.mutate(person)}
      onClose={onClose}
    >
      {person ? (
        <PersonLine person={person} action="Remove" onAct={() => choose(null)} />
      ) : (
        <div>
          <TextInput
            ref={search}
            label="Search staff"
            placeholder="Type a name"
            type="search"
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
          <div role="status" className={classes.found}>
            {typed.trim() !== '' && people && found.length === 0 ? 'Nobody of that name is on file.' : null}
            {typed.trim() !== '' && !people ? 'One moment …' : null}
          </div>
          {found.map((one) => (
            <PersonLine key={one._id} person={one} action="Select" onAct={() => choose(one)} />
          ))}
        </div>
      )}
      <NativeSelect
        ref={roleField}
        label="Role"
        required
        value={role}
        onChange={(event) => {
          setRole(event.currentTarget.value)
          saving.reset()
        }}
      >
        <option value="">Choose a role</option>
        {ROLE_GROUPS.map((group) => (
          <optgroup key={group} label={GROUP_TITLES[group]}>
            {roles
              .filter((one) => one.group === group)
              .map(({ _id, name }) => (
                <option key={_id} value={_id}>
                  {name}
                </option>
              ))}
          </optgroup>
        ))}
      </NativeSelect>
    </Dialog>
  )
}
