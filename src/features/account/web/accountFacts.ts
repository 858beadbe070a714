import { showMomentDay } from '../../../platform/contract/dates.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import type { Fact } from '../../../platform/web/kit/Facts.tsx'
import type { AccountDetail } from '../contract.ts'
import { levelWords, momentWords } from '../rules.ts'

/** Who somebody is to this application, as far as their account says. */
export const accountFacts = ({ name, accessLevel, grantedAt, grantedBy, usedAt }: AccountDetail): Fact[] => [
  { label: 'Access', value: `Level ${accessLevel}, ${levelWords(accessLevel)}` },
  ...(grantedAt === null
    ? []
    : [
        {
          label: 'Granted',
          // A sample account brings its level with it; that it came from oneself says nothing.
          value: `${showMomentDay(grantedAt, configuration.timeZone)}${grantedBy === null || grantedBy === name ? '' : ` by ${grantedBy}`}`,
        },
      ]),
  { label: 'Last here', value: momentWords(usedAt, configuration.timeZone) },
]
