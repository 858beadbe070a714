import { capitalize } from '../../../../contract/format.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Fact } from '../../../../platform/web/kit/Facts.tsx'
import { getLevelFacts } from '../../../access/levels/rules.ts'
import type { AccountDetail } from '../contract.ts'
import { formatRelativeMoment } from '../rules.ts'

/** The level, its grant and the last activity. */
export const getAccountFacts = (account: AccountDetail): Fact[] => [
  ...getLevelFacts(account, account.name, configuration.timeZone),
  { label: 'Last active', value: capitalize(formatRelativeMoment(account.usedAt, configuration.timeZone)) },
]
