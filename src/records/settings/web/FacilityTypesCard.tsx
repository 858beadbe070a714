import { Button, Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { isRoleOf } from '../../../contract/roles.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { queryClient } from '../../../platform/web/queries.ts'
import type { Role } from '../../people/contract.ts'
import { useRoles } from '../../people/web/queries.ts'
import { FACILITY_TYPES } from '../../sites/fields.ts'
import { saveRolesOfType } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SettingsPage.module.css'

type FacilityType = (typeof FACILITY_TYPES)[number]

interface RolesDialogProps {
  type: FacilityType
  roles: readonly Role[]
  onClose: () => void
}

const RolesDialog = ({ type, roles, onClose }: RolesDialogProps) => {
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({})
  const saving = useMutation({
    mutationFn: () => withSignIn(() => send(saveRolesOfType, { body: { type, roles: changed } })),
    onSuccess: () => {
      void queryClient.invalidateQueries()
      onClose()
    },
  })
  return (
    <Dialog
      title={`Roles: ${type}`}
      confirmLabel="Save Changes"
      isDisabled={Object.keys(changed).length === 0}
      isBusy={saving.isPending}
      error={saving.error}
      onConfirm={() => saving.mutate()}
      onClose={onClose}
    >
      <fieldset className={`${layoutClasses.scrolling} ${classes.roles}`}>
        <legend className={layoutClasses.bottomMargin12}>A site of this type has:</legend>
        {roles.map((role, at) => (
          <Checkbox
            key={role._id}
            label={role.name}
            {...(at === 0 ? { 'data-autofocus': true } : {})}
            checked={changed[role._id] ?? isRoleOf(type, role)}
            onChange={({ currentTarget: { checked } }) => {
              saving.reset()
              const { [role._id]: _, ...others } = changed
              setChanged(checked === isRoleOf(type, role) ? others : { ...others, [role._id]: checked })
            }}
          />
        ))}
      </fieldset>
    </Dialog>
  )
}

const formatRoles = (type: FacilityType, roles: readonly Role[]): string => {
  const missing = roles.filter((role) => !isRoleOf(type, role)).map(({ name }) => name)
  if (missing.length === 0) return 'All roles'
  return `${roles.length - missing.length} of ${roles.length} roles; not ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' …' : ''}`
}

/** The roles that sites of each facility type have. */
export const FacilityTypesCard = () => {
  const query = useRoles()
  const [edited, setEdited] = useState<FacilityType | null>(null)
  return (
    <>
      <SettingsCard
        title="Roles of facility types"
        about="A role that sites of a type do not have is never counted as vacant there. People can still be given it."
      >
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(roles) => (
            <SettingsRows label="Facility types">
              {FACILITY_TYPES.map((type) => (
                <SettingsRow key={type} name={type} details={<span>{formatRoles(type, roles)}</span>}>
                  <Button variant="default" aria-label={`Change the roles of ${type}`} onClick={() => setEdited(type)}>
                    Change
                  </Button>
                </SettingsRow>
              ))}
            </SettingsRows>
          )}
        </LoadedList>
      </SettingsCard>
      {edited !== null && query.data ? <RolesDialog type={edited} roles={query.data} onClose={() => setEdited(null)} /> : null}
    </>
  )
}
