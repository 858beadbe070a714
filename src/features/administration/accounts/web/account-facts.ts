import { formatMomentDay } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Fact } from '../../../../platform/web/kit/Facts.tsx'
import type { AccountDetail } from '../contract.ts'
import { capitalize, formatLevel, formatRelativeMoment } from '../rules.ts'

/** The level and its grant. */
export const getLevelFacts = ({ name, accessLevel, grantedAt, grantedBy, groups }: AccountDetail): Fact[] => [
  { label: 'Access', value: `Level ${accessLevel}, ${formatLevel(accessLevel)}` },
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
          label: 'Granted',
          // Sample accounts grant themselves their level, which is not worth showing.
          value: `${formatMomentDay(grantedAt, configuration.timeZone)}${grantedBy === null || grantedBy === name ? '' : ` by ${grantedBy}`}`,
        },
      ]),
]

/** The level, its grant and the last activity. */
export const getAccountFacts = (account: AccountDetail): Fact[] => [
  ...getLevelFacts(account),
  { label: 'Last active', value: capitalize(formatRelativeMoment(account.usedAt, configuration.timeZone)) },
]
