import { Anchor } from '@mantine/core'

import { getCallUrl } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { SUGGEST } from '../../../../platform/web/form/use-edit-mode.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { getLevelFacts } from '../../../access/levels/rules.ts'
import { useCan } from '../../../access/session/web/queries.ts'
import { CalendarFeedsSection } from '../../../record-tools/calendars/web/public/CalendarFeedsSection.tsx'
import { readProfilePhoto } from '../../../record-tools/pictures/contract.ts'
import { ReminderPreferencesCard } from '../../../record-tools/reminders/web/public/ReminderPreferencesCard.tsx'
import type { OwnAccount } from '../contract.ts'
import { CreateTokenButton } from './CreateTokenButton.tsx'
import { useOwnAccount } from './queries.ts'
import { SessionList } from './SessionList.tsx'
import { TokenList } from './TokenList.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './AccountPage.module.css'

/** A link to the form of the user's own record, which saves or suggests. */
const OwnRecord = ({ slug }: { slug: string }) => {
  const mayEdit = useCan('edit a person')
  return (
    <p className={classes.photoHint}>
      <TextLink to="/staff/$slug" params={{ slug }} search={{ edit: mayEdit ? '1' : SUGGEST }} underline="always">
        {mayEdit ? 'Edit my record' : 'Suggest changes to my record'}
      </TextLink>
    </p>
  )
}

const AccountHead = ({ account }: { account: OwnAccount }) => (
  <div className={classes.profile}>
    <Avatar name={account.name} size={72} photo={getCallUrl(readProfilePhoto, { params: { person: 'me' } })} />
    <div className={`${layoutClasses.column} ${classes.text}`}>
      <span className={classes.name}>{account.name}</span>
      {account.name === account.azureID ? null : <MailLink email={account.azureID} />}
    </div>
    <div className={classes.facts}>
      <Facts variant="line" facts={getLevelFacts(account, account.name, configuration.timeZone)} />
      {account.person ? <OwnRecord slug={account.person} /> : null}
    </div>
  </div>
)

/** `/account`: the user's own account, sessions and API tokens. */
export const AccountPage = () => {
  useTitle('My account')
  const query = useOwnAccount()
  const canSeeOthers = useCan('end anyone’s sessions')
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 tabIndex={-1}>My account</h1>
        {canSeeOthers ? <TextLink to="/accounts">All Sign-ins</TextLink> : null}
      </div>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(account) => (
          <>
            <AccountHead account={account} />
            <ReminderPreferencesCard />
            <CalendarFeedsSection account={null} />
            <SessionList scope={null} name={null} />
            <TokenList
              scope={null}
              description={
                <>
                  An API token lets a program use the API on your behalf. See the{' '}
                  <Anchor href="/docs" inherit underline="always">
                    API documentation
                  </Anchor>
                  .
                </>
              }
              action={<CreateTokenButton own={account.accessLevel} />}
            />
          </>
        )}
      </LoadedList>
    </div>
  )
}
