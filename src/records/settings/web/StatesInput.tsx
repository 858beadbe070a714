import { Checkbox } from '@mantine/core'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { STATES } from '../../sites/fields.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SettingsPage.module.css'

export const toStates = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** The states of the organization, a box for each. */
export const StatesInput = ({ label, value, describedBy, onChange }: CustomInputProps) => (
  <Checkbox.Group
    aria-label={label}
    aria-describedby={describedBy}
    value={toStates(value)}
    onChange={(chosen) => onChange(STATES.filter((state) => chosen.includes(state)))}
  >
    <div className={`${layoutClasses.wrappingRow} ${classes.states}`}>
      {STATES.map((state) => (
        <Checkbox key={state} value={state} label={state} />
      ))}
    </div>
  </Checkbox.Group>
)
