import { formatMomentDay } from '../../../../platform/contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Fact } from '../../../../platform/web/kit/Facts.tsx'
import type { AccountDetail } from '../contract.ts'
import { capitalize, formatLevel, formatRelativeMoment } from '../rules.ts'

/** What somebody may do here, and since when. */
export const getLevelFacts = ({ name, accessLevel, grantedAt, grantedBy }: AccountDetail): Fact[] => [
  { label: 'Access', value: `Level ${accessLevel}, ${formatLevel(accessLevel)}` },
  ...(grantedAt === null
    ? []
    : [
        {
          label: 'Granted',
          // A sample account brings its level with it; that it came from oneself says nothing.
          value: `${formatMomentDay(grantedAt, configuration.timeZone)}${grantedBy === null || grantedBy === name ? '' : ` by ${grantedBy}`}`,
        },
      ]),
]

/** The same, and when they were last here. */
export const getAccountFacts = (account: AccountDetail): Fact[] => [
  ...getLevelFacts(account),
  { label: 'Last active', value: capitalize(formatRelativeMoment(account.usedAt, configuration.timeZone)) },
]
