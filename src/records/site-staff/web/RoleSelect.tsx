import { NativeSelect } from '@mantine/core'
import type { Ref } from 'react'

import { ROLE_GROUPS } from '../../people/contract.ts'
import { useRoles } from '../../people/web/queries.ts'
import { GROUP_TITLES } from './staff-groups.ts'

interface RoleSelectProps {
  readonly ref?: Ref<HTMLSelectElement>
  /** The `_id` of the role; empty if none is selected. */
  readonly value: string
  readonly isRequired?: boolean
  readonly onChange: (role: string) => void
}

/** Selects a role at a site, by group. */
export const RoleSelect = ({ ref, value, isRequired = false, onChange }: RoleSelectProps) => {
  const { data: roles = [] } = useRoles()
  return (
    <NativeSelect
      ref={ref}
      label="Role"
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">Choose a role</option>
      {ROLE_GROUPS.map((group) => (
        <optgroup key={group} label={GROUP_TITLES[group]}>
          {roles
            .filter((role) => role.group === group)
            .map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
        </optgroup>
      ))}
    </NativeSelect>
  )
}
