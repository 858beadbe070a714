import { useParams } from '@tanstack/react-router'

import { capitalize } from '../../../../contract/format.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { DetailHead } from '../../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { type Fact, Facts } from '../../../../platform/web/kit/Facts.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { AccountComments } from '../../../changing/comments/web/public/AccountComments.tsx'
import { CalendarFeedsSection } from '../../../deadlines/calendars/web/public/CalendarFeedsSection.tsx'
import { AssistantsSection } from '../../../exchange/assistants/web/public/AssistantsSection.tsx'
import { DevicesSection } from '../../devices/web/public/DevicesSection.tsx'
import { getLevelFacts } from '../../levels/rules.ts'
import type { AccountDetail } from '../contract.ts'
import { formatRelativeMoment } from '../rules.ts'
import { useAccount } from './queries.ts'
import { SessionList } from './SessionList.tsx'
import { TokenList } from './TokenList.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** The level, its grant and the last activity. */
const getAccountFacts = (account: AccountDetail): Fact[] => [
  ...getLevelFacts(account, account.name, configuration.timeZone),
  { label: 'Last active', value: capitalize(formatRelativeMoment(account.usedAt, configuration.timeZone)) },
]

const back = <BackLink to="/accounts" label="Sign-ins" />

const AccountContent = ({ account }: { account: AccountDetail }) => {
  const { _id, name, azureID } = account
  useTitle(name)
  return (
    <div className={layoutClasses.narrowPage}>
      <DetailHead
        back={back}
        title={name}
        line={name === azureID ? null : <MailLink email={azureID} />}
        avatar={<Avatar name={name} size={72} />}
        facts={<Facts variant="line" facts={getAccountFacts(account)} />}
      />
      <div className={layoutClasses.sectionStart}>
        <SessionList scope={_id} name={name} />
        <TokenList
          scope={_id}
          description={account.tokens === 0 ? 'This person has no API tokens.' : 'Programs that use the API on this person’s behalf.'}
        />
        <CalendarFeedsSection account={_id} />
        <DevicesSection account={_id} />
        <AssistantsSection account={_id} />
        <AccountComments account={_id} name={name} />
      </div>
    </div>
  )
}

/** `/accounts/{id}`: the sessions and API tokens of an account, which can be ended here. */
export const OtherAccountPage = () => {
  const { id } = useParams({ from: '/signed-in/accounts/$id' })
  return (
    <LoadedRecord query={useAccount(id)} what="account" back={back} skeleton={<DetailSkeleton beside="avatar" />}>
      {(account) => <AccountContent account={account} />}
    </LoadedRecord>
  )
}
