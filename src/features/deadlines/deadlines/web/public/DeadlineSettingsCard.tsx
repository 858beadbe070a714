import { Button } from '@mantine/core'
import { type ComponentType, useState } from 'react'

import { DEADLINE_KINDS, type DeadlineKind } from '../../../../../contract/deadlines.ts'
import type { Named } from '../../../../../contract/references.ts'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import type { KindSettings } from '../../contract.ts'
import { DeadlineIcon } from '../DeadlineIcon.tsx'
import { KindSettingsDialog, type PersonInputProps } from '../KindSettingsDialog.tsx'
import { useDeadlineSettings } from '../settings-queries.ts'

import classes from '../DeadlineSettings.module.css'

const formatLeadDays = (days: readonly number[]): string => {
  if (days.length === 0) return 'No reminder before it is overdue'
  const last = days.at(-1)
  const list = days.length === 1 ? String(last) : `${days.slice(0, -1).join(', ')} and ${last}`
  return `Reminders ${list} ${last === 1 && days.length === 1 ? 'day' : 'days'} before`
}

const KindRow = ({ settings, onEdit }: { settings: KindSettings; onEdit: () => void }) => {
  const { kind, leadDays, responsible, regions } = settings
  const { name } = DEADLINE_KINDS[kind]
  return (
    <SettingsRow
      icon={<DeadlineIcon kind={kind} size={24} />}
      name={name}
      details={
        <>
          <span>{formatLeadDays(leadDays)}</span>
          <span className={responsible || regions.length > 0 ? undefined : classes.unassigned}>
            {responsible ? responsible.name : 'Nobody responsible'}
            {regions.map((one) => ` · ${one.region.name}: ${one.responsible.name}`)}
          </span>
        </>
      }
    >
      <Button variant="default" aria-label={`Change the deadlines of ${name}`} onClick={onEdit}>
        Change
      </Button>
    </SettingsRow>
  )
}

interface DeadlineSettingsCardProps {
  readonly regions: readonly Named[]
  readonly PersonInput: ComponentType<PersonInputProps>
}

/** Who is responsible for unassigned deadlines, and when they are reminded, by kind. */
export const DeadlineSettingsCard = ({ regions, PersonInput }: DeadlineSettingsCardProps) => {
  const query = useDeadlineSettings()
  const [edited, setEdited] = useState<DeadlineKind | null>(null)
  const settings = query.data?.kinds.find(({ kind }) => kind === edited)
  return (
    <div className={classes.card}>
      <SettingsCard
        title="Deadlines"
        about="Who is responsible for deadlines without a person of their own, and when they get a reminder. Reminders of overdue deadlines are repeated every week."
      >
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {({ kinds }) => (
            <SettingsRows label="Kinds of deadlines">
              {kinds.map((one) => (
                <KindRow key={one.kind} settings={one} onEdit={() => setEdited(one.kind)} />
              ))}
            </SettingsRows>
          )}
        </LoadedList>
      </SettingsCard>
      {settings && query.data ? (
        <KindSettingsDialog
          settings={settings}
          version={query.data.version}
          regions={regions}
          PersonInput={PersonInput}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </div>
  )
}
