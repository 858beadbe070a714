import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { readProfilePhoto } from '../../../../contract/pictures.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { getCallUrl, send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { SUGGEST } from '../../../../platform/web/form/use-edit-mode.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { MailLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { SecretDialog } from '../../../../platform/web/kit/SecretDialog.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { AccountComments } from '../../../changing/comments/web/public/AccountComments.tsx'
import { CalendarFeedsSection } from '../../../deadlines/calendars/web/public/CalendarFeedsSection.tsx'
import { ReminderPreferencesCard } from '../../../deadlines/reminders/web/public/ReminderPreferencesCard.tsx'
import { AssistantsSection } from '../../../exchange/assistants/web/public/AssistantsSection.tsx'
import { DevicesSection } from '../../devices/web/public/DevicesSection.tsx'
import { getLevelFacts } from '../../levels/rules.ts'
import { OfflineSection } from '../../offline/web/public/OfflineSection.tsx'
import { createToken, type OwnAccount } from '../contract.ts'
import { formatLevel, getTokenLevels, MAX_TOKEN_NAME_LENGTH, TOKEN_DAYS } from '../rules.ts'
import { invalidateAccounts, useOwnAccount } from './queries.ts'
import { SessionList } from './SessionList.tsx'
import { TokenList } from './TokenList.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AccountPage.module.css'

const EXPIRY_CHOICES = TOKEN_DAYS.map((days) => ({ value: String(days), label: days === 365 ? '1 year' : `${days} days` }))

interface CreateTokenDialogProps {
  ownLevel: number
  onCreated: (made: { name: string; token: string }) => void
  onClose: () => void
}

const CreateTokenDialog = ({ ownLevel: own, onCreated: onMade, onClose }: CreateTokenDialogProps) => {
  const [name, setName] = useState('')
  const [days, setDays] = useState(String(TOKEN_DAYS[1]))
  const [level, setLevel] = useState(String(own))
  const levels = getTokenLevels(own).map((one) => ({
    value: String(one),
    label: `${one}, ${formatLevel(one)}${one === own ? ' (your own)' : ''}`,
  }))
  return (
    <SendingDialog
      title="Create an API Token"
      confirmLabel="Create Token"
      isDisabled={name.trim() === ''}
      onSend={() => send(createToken, { body: { name: name.trim(), days: Number(days), accessLevel: Number(level) } })}
      onSent={({ token, made }) => {
        invalidateAccounts()
        onMade({ name: made.name, token })
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What the token is for. This name is shown in the list of tokens and in History."
        required
        maxLength={MAX_TOKEN_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect label="Expires after" data={EXPIRY_CHOICES} value={days} onChange={(event) => setDays(event.currentTarget.value)} />
      <NativeSelect
        label="Level"
        description="Choose the lowest access your program needs. A token never has more access than you: if your access is reduced, so is the token’s."
        data={levels}
        value={level}
        onChange={(event) => setLevel(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}

/** Opens the window to create an API token, then shows the token once. */
const CreateTokenButton = ({ own }: { own: number }) => {
  const [step, setStep] = useState<'asking' | { name: string; token: string } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The first window is gone by then and cannot restore the focus.
  const close = () => {
    setStep(null)
    setTimeout(() => button.current?.focus())
  }
  return (
    <>
      <Button ref={button} variant="default" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setStep('asking')}>
        Create a Token
      </Button>
      {step === 'asking' ? <CreateTokenDialog ownLevel={own} onCreated={setStep} onClose={() => setStep(null)} /> : null}
      {step !== null && step !== 'asking' ? (
        <SecretDialog title={`Your API Token ${step.name}`} noun="Token" secret={step.token} onClose={close}>
          Copy it now and store it where only your program can read it. Anyone who has it can act on your behalf.
        </SecretDialog>
      ) : null}
    </>
  )
}

/** A link to the form of the user's own record, which saves or suggests. */
const OwnRecord = ({ slug }: { slug: string }) => {
  const mayEdit = useCan('edit a person')
  return (
    <p className={layoutClasses.topMargin8}>
      <TextLink to="/staff/$slug" params={{ slug }} search={{ edit: mayEdit ? '1' : SUGGEST }} underline="always">
        {mayEdit ? 'Edit my record' : 'Suggest changes to my record'}
      </TextLink>
    </p>
  )
}

const AccountHead = ({ account }: { account: OwnAccount }) => (
  <div className={`${layoutClasses.grid} ${layoutClasses.alignCenter} ${layoutClasses.sectionEnd} ${classes.profile}`}>
    <Avatar name={account.name} size={72} photo={getCallUrl(readProfilePhoto, { params: { person: 'me' } })} />
    <div className={`${layoutClasses.column} ${textClasses.lines}`}>
      <span className={`${textClasses.strong} ${classes.name}`}>{account.name}</span>
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
    <div className={layoutClasses.narrowPage}>
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.bottomMargin20} ${classes.head}`}>
        <h1 tabIndex={-1}>My account</h1>
        {canSeeOthers ? <TextLink to="/accounts">All Sign-ins</TextLink> : null}
      </div>
      {query.isError ? <OfflineSection /> : null}
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(account) => (
          <>
            <AccountHead account={account} />
            {query.isError ? null : <OfflineSection />}
            <ReminderPreferencesCard />
            <CalendarFeedsSection account={null} />
            <DevicesSection account={null} />
            <AssistantsSection account={null} />
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
            <AccountComments account={null} name={account.name} />
          </>
        )}
      </LoadedList>
    </div>
  )
}
