import { TextInput } from '@mantine/core'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { useRegions } from '../../regions/web/queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SettingsPage.module.css'

/** Recipients for a region; those without a region get the requests of all regions without recipients. */
export interface RegionRecipients {
  readonly region: string | null
  /** As typed: separated by spaces. */
  readonly emails: string
}
export const toRecipients = (value: unknown): readonly RegionRecipients[] =>
  Array.isArray(value) ? (value as readonly RegionRecipients[]) : []

/** Who gets change requests, by region. */
export const RequestsToInput = ({ id, value, error, onChange }: CustomInputProps) => {
  const { data: regions = [] } = useRegions()
  const rows = toRecipients(value)
  const nameOf = (region: string | null): string =>
    region === null ? 'All other regions' : (regions.find(({ _id }) => _id === region)?.name ?? 'One region')
  return (
    <div className={`${layoutClasses.inputRows} ${classes.rows}`}>
      {rows.map((row, at) => (
        <TextInput
          key={row.region ?? 'others'}
          id={at === 0 ? id : undefined}
          label={nameOf(row.region)}
          labelProps={{ className: classes.regularLabel }}
          inputMode="email"
          autoComplete="off"
          error={error !== undefined && row.emails !== ''}
          value={row.emails}
          onChange={(event) => {
            const emails = event.currentTarget.value
            onChange(rows.map((one) => (one === row ? { ...one, emails } : one)))
          }}
        />
      ))}
    </div>
  )
}
