import { can } from '../../../contract/capabilities.ts'
import { formatMomentDay } from '../../../contract/dates.ts'
import type { LevelOrigin } from './contract.ts'

/** The default level of a new administrator. At least one permission record of this level or one with more access always remains. */
export const DEFAULT_ADMIN_LEVEL = 5

export const formatLevel = (level: number): string => {
  if (can(level, 'end anyone’s sessions')) return 'Super administrator'
  if (can(level, 'edit a charter affair')) return 'Administrator, including charter affairs'
  if (can(level, 'manage the network')) return 'Administrator'
  return 'View only'
}

interface LevelFact {
  readonly label: string
  readonly value: string
}

/** The level and its source: SUPER_ADMINS, directory groups, a permission record, or the default for everyone. */
export const getLevelFacts = (
  { accessLevel, grantedAt, grantedBy, groups, isSuperAdmin }: LevelOrigin & { readonly accessLevel: number },
  name: string,
  timeZone: string,
): LevelFact[] => [
  { label: 'Access', value: `Level ${accessLevel}, ${formatLevel(accessLevel)}` },
  ...(!isSuperAdmin && groups.length === 0 && grantedAt === null ? [{ label: 'From', value: 'Given to everyone who signs in' }] : []),
  ...(isSuperAdmin ? [{ label: 'From', value: 'SUPER_ADMINS of the server' }] : []),
  ...(groups.length === 0
    ? []
    : [
        {
          label: groups.length === 1 ? 'From the group' : 'From groups',
          value: groups.map(({ group, level }) => `${group} (level ${level})`).join(', '),
        },
      ]),
  ...(grantedAt === null
    ? []
    : [
        {
          label: 'From a permission record',
          // Sample accounts grant themselves their level, which is not worth showing.
          value: `${formatMomentDay(grantedAt, timeZone)}${grantedBy === null || grantedBy === name ? '' : ` by ${grantedBy}`}`,
        },
      ]),
]
