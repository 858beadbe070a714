import { Autocomplete, Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'

import { BROWSE_LEVEL, can, capabilities } from '../../../../../contract/capabilities.ts'
import { send } from '../../../../../platform/web/client.ts'
import { ConfirmDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { type LevelMapping, listLevelMappings, MAX_GROUP_LENGTH, saveLevelMappings } from '../../contract.ts'
import { reloadLevelMappings, useDirectoryGroups, useLevelMappings } from '../queries.ts'

const formatLevel = (level: number): string => {
  if (can(level, 'connect the directory')) return 'everything'
  if (can(level, 'edit a charter affair')) return 'administrator, including charter affairs'
  return can(level, 'manage the network') ? 'administrator' : 'view only'
}

/** The levels that differ in capabilities, and the current level. */
const getLevels = (given: number): number[] => [...new Set([...Object.values(capabilities), BROWSE_LEVEL, given])].toSorted((a, b) => b - a)

const isSameGroup = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Changes one group in the latest list, so that concurrent changes by others stay. */
const saveOne = async (group: string, level: number | null): Promise<LevelMapping[]> => {
  const others = (await send(listLevelMappings)).filter((one) => !isSameGroup(one.group, group))
  return send(saveLevelMappings, { body: level === null ? others : [...others, { group, level }] })
}

const MappingDialog = ({ mapping, onClose }: { mapping: LevelMapping | null; onClose: () => void }) => {
  const { data: groups = [] } = useDirectoryGroups()
  const [group, setGroup] = useState(mapping?.group ?? '')
  const [level, setLevel] = useState(String(mapping?.level ?? capabilities['manage administrators']))
  return (
    <ConfirmDialog
      title={mapping ? `The level of ${mapping.group}` : 'Give a Group a Level'}
      confirmLabel="Save Level"
      isDisabled={group.trim() === ''}
      onSend={() => saveOne(group.trim(), Number(level))}
      doneText={`Everyone in ${group.trim()} now has at least level ${level}.`}
      reload={reloadLevelMappings}
      onClose={onClose}
    >
      {mapping ? null : (
        <Autocomplete
          label="Group"
          description="The name or id of a group, or an app role"
          required
          maxLength={MAX_GROUP_LENGTH}
          limit={20}
          data-autofocus
          data={groups.map(({ name }) => name)}
          value={group}
          onChange={setGroup}
        />
      )}
      <NativeSelect
        label="Level"
        data={getLevels(Number(level)).map((one) => ({ value: String(one), label: `${one}, ${formatLevel(one)}` }))}
        value={level}
        onChange={(event) => setLevel(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

const RemoveMappingDialog = ({ mapping: { group }, onClose }: { mapping: LevelMapping; onClose: () => void }) => (
  <ConfirmDialog
    title={`Remove the level of ${group}?`}
    confirmLabel="Remove Level"
    isDestructive
    onSend={() => saveOne(group, null)}
    doneText={`${group} no longer gives a level.`}
    reload={reloadLevelMappings}
    onClose={onClose}
  >
    <p>Members of this group lose the level right away, unless a permission record or another group gives it.</p>
  </ConfirmDialog>
)

/** Assigns levels to directory groups. */
export const LevelMappingsCard = () => {
  const query = useLevelMappings()
  const { data: groups = [] } = useDirectoryGroups()
  const [edited, setEdited] = useState<LevelMapping | 'new' | null>(null)
  const [removing, setRemoving] = useState<LevelMapping | null>(null)
  const describe = ({ group, level }: LevelMapping): string => {
    const people = groups.find(({ name }) => isSameGroup(name, group))?.people
    const count = people === undefined ? '' : ` · ${people} ${people === 1 ? 'person' : 'people'}`
    return `Level ${level}, ${formatLevel(level)}${count}`
  }
  return (
    <>
      <SettingsCard
        title="Levels from groups"
        about="Everyone in a group of the directory has its level, from now on and as long as they are in it. With several groups, or a permission record, the most access counts. Groups and roles that only sign-ins name are read at each sign-in, and every hour while someone is signed in."
      >
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {(mappings) => (
            <>
              {mappings.length === 0 ? null : (
                <SettingsRows label="Groups with a level">
                  {mappings.map((mapping) => (
                    <SettingsRow key={mapping.group} name={mapping.group} details={<span>{describe(mapping)}</span>}>
                      <Button variant="default" aria-label={`Change the level of ${mapping.group}`} onClick={() => setEdited(mapping)}>
                        Change
                      </Button>
                      <Button variant="default" aria-label={`Remove the level of ${mapping.group}`} onClick={() => setRemoving(mapping)}>
                        Remove
                      </Button>
                    </SettingsRow>
                  ))}
                </SettingsRows>
              )}
              <Button variant="default" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setEdited('new')}>
                Give a Group a Level
              </Button>
            </>
          )}
        </LoadedList>
      </SettingsCard>
      {edited ? <MappingDialog mapping={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
      {removing ? <RemoveMappingDialog mapping={removing} onClose={() => setRemoving(null)} /> : null}
    </>
  )
}
