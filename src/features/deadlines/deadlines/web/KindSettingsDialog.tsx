import { Button, Select, TextInput } from '@mantine/core'
import { type ComponentType, useState } from 'react'

import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import type { Named } from '../../../../contract/references.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { type KindSettings, LeadDays } from '../contract.ts'
import { useSaveKindSettings } from './settings-queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './DeadlineSettings.module.css'

/** Selects a person by name; passed in by the page, since people belong to another feature. */
export interface PersonInputProps {
  readonly label: string
  /** The `_id` of the selected person. */
  readonly chosen: string | null
  readonly onChoose: (person: string | null) => void
}

interface KindSettingsDialogProps {
  readonly settings: KindSettings
  readonly version: number
  readonly regions: readonly Named[]
  readonly PersonInput: ComponentType<PersonInputProps>
  readonly onClose: () => void
}

/** '365, 180 90' as numbers, in descending order. */
const toLeadDays = (typed: string): number[] =>
  typed
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(Number)
    .toSorted((a, b) => b - a)

/** Lead times and responsible people of one kind of deadlines. */
export const KindSettingsDialog = ({ settings, version, regions, PersonInput, onClose }: KindSettingsDialogProps) => {
  const { kind, leadDays, responsible } = settings
  const saving = useSaveKindSettings(version, onClose)
  const [typed, setTyped] = useState(leadDays.join(', '))
  const [person, setPerson] = useState(responsible?._id ?? null)
  const [ofRegions, setOfRegions] = useState<ReadonlyMap<string, string | null>>(
    new Map(settings.regions.map((one) => [one.region._id, one.responsible._id])),
  )
  const checked = LeadDays.safeParse(toLeadDays(typed))
  const others = regions.filter(({ _id }) => !ofRegions.has(_id))
  const name = DEADLINE_KINDS[kind].name
  return (
    <Dialog
      title={`Deadlines: ${name}`}
      confirmLabel="Save Changes"
      size={560}
      isDisabled={!checked.success}
      isBusy={saving.isPending}
      error={saving.error}
      onConfirm={() =>
        saving.mutate({
          kind,
          leadDays: toLeadDays(typed),
          responsible: person,
          regions: [...ofRegions].flatMap(([region, one]) => (one === null ? [] : [{ region, responsible: one }])),
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Lead times in days"
        description="Days before the deadline on which the responsible person is reminded. Leave empty to send no reminder until it is overdue."
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={typed}
        error={checked.success ? null : checked.error.issues[0]?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <PersonInput label="Responsible person" chosen={person} onChoose={setPerson} />
      {[...ofRegions].map(([region, one]) => (
        <div key={region} className={`${layoutClasses.topRow} ${layoutClasses.downward} ${classes.region}`}>
          <PersonInput
            label={`Responsible person in ${regions.find(({ _id }) => _id === region)?.name ?? 'one region'}`}
            chosen={one}
            onChoose={(to) => setOfRegions(new Map([...ofRegions, [region, to]]))}
          />
          {one === null ? (
            <Button
              size="compact-md"
              variant="default"
              onClick={() => setOfRegions(new Map([...ofRegions].filter(([other]) => other !== region)))}
            >
              Remove Region
            </Button>
          ) : null}
        </div>
      ))}
      {others.length > 0 ? (
        <Select
          label="Someone else in a region"
          placeholder="Choose a region"
          data={others.map(({ _id, name: label }) => ({ value: _id, label }))}
          value={null}
          searchable
          onChange={(region) => region && setOfRegions(new Map([...ofRegions, [region, null]]))}
        />
      ) : null}
    </Dialog>
  )
}
