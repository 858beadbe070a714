import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { useUser } from '../../../platform/web/caller.ts'
import { send } from '../../../platform/web/client.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { sendTestMail, type Setup } from '../contract.ts'
import { Findings } from './Findings.tsx'
import { VariablesBlock } from './VariablesBlock.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

/** What the server needs to send mail, and a test mail. */
export const MailStep = ({ setup: { mail } }: { setup: Setup }) => {
  const user = useUser()
  const [to, setTo] = useState(user?.azureID ?? '')
  const sending = useMutation({ mutationFn: () => withSignIn(() => send(sendTestMail, { body: { to } })) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate()
  }
  return (
    <>
      <p>
        {mail.isConfigured
          ? `Emails are sent from ${mail.from}.`
          : 'No mail server is connected yet, so no one receives emails: Homeroom keeps them as files on the server. Ask who runs your mail for the name of its server (SMTP), its port, and an account that may send.'}
      </p>
      <VariablesBlock variables={mail.variables} />
      <form noValidate onSubmit={submit} className={layoutClasses.stack} aria-label="Test mail">
        <TextInput label="Send a test mail to" type="email" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        <div role="alert">
          {sending.error ? <p className={textClasses.error}>Error: {errorMessage(sending.error)}</p> : null}
          {sending.data ? <Findings label="What the mail server answered" findings={sending.data} /> : null}
        </div>
        <div className={layoutClasses.wrappingRow}>
          <Button type="submit" variant="default" loading={sending.isPending}>
            Send Test Mail
          </Button>
        </div>
      </form>
    </>
  )
}
