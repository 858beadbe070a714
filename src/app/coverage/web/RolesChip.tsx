import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'

import { LEADING_ROLES } from '../../../contract/roles.ts'
import { ButtonPanel } from '../../../platform/web/kit/ButtonPanel.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import filters from '../../../platform/web/list/Filters.module.css'
import classes from './RolesChip.module.css'

interface RolesChipProps {
  /** All roles, in the order of the board. */
  all: readonly string[]
  chosen: readonly string[]
  /** Undefined resets to the default roles. */
  onChoose: (roles: readonly string[] | undefined) => void
}

/** The menu that selects the roles shown as columns of the board. */
export const RolesChip = ({ all, chosen, onChoose }: RolesChipProps) => {
  const [isOpen, setOpen] = useState(false)
  const leading = all.filter((role) => LEADING_ROLES.some((one) => one === role))
  const isLeading = (roles: readonly string[]): boolean => roles.length === leading.length && roles.every((role) => leading.includes(role))
  const own = !isLeading(chosen)
  const [only] = chosen
  const choose = (roles: readonly string[]) => onChoose(isLeading(roles) ? undefined : all.filter((role) => roles.includes(role)))
  return (
    <ButtonPanel
      isOpen={isOpen}
      onToggle={setOpen}
      label="Roles"
      className={classes.panel}
      width={300}
      position="bottom-start"
      button={
        <button
          type="button"
          className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${filters.chip}`}
          data-on={own || undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {own ? <IconCheck size={16} stroke={2} aria-hidden /> : null}
          {own && chosen.length === 1 ? `Role: ${only}` : `Roles: ${chosen.length} of ${all.length}`}
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </button>
      }
    >
      <div className={`${layoutClasses.spaced} ${classes.actions}`}>
        <Button size="compact-sm" variant="default" disabled={!own} onClick={() => onChoose(undefined)}>
          Leadership roles
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onChoose(all)}>
          All roles
        </Button>
      </div>
      <fieldset className={`${layoutClasses.scrolling} ${classes.roles}`}>
        <legend className={`${textClasses.label} ${classes.legend}`}>Columns</legend>
        {all.map((role, at) => (
          <Checkbox
            key={role}
            label={role}
            {...(at === 0 ? { 'data-autofocus': true } : {})}
            checked={chosen.includes(role)}
            // The last one cannot be deselected: a board without roles would be empty.
            disabled={chosen.length === 1 && only === role}
            onChange={({ currentTarget }) => choose(currentTarget.checked ? [...chosen, role] : chosen.filter((one) => one !== role))}
            classNames={{ body: classes.choice, labelWrapper: classes.label }}
          />
        ))}
      </fieldset>
    </ButtonPanel>
  )
}
