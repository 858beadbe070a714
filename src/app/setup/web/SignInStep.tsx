import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'

import { formatMomentTime } from '../../../contract/dates.ts'
import { startSignInTest } from '../../../features/access/session/contract.ts'
import { getCallUrl } from '../../../platform/web/client.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { WithCopy } from '../../../platform/web/kit/CopyButton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import type { Setup } from '../contract.ts'
import { VariablesBlock } from './VariablesBlock.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Setup.module.css'

/** What the last test said. */
const TestResult = ({ test }: { test: NonNullable<Setup['signIn']['test']> }) => {
  const at = formatMomentTime(test.at, configuration.timeZone)
  if (test.problem !== null)
    return (
      <p className={textClasses.error}>
        The test at {at} failed, and no one could sign in this way: {test.problem}
      </p>
    )
  return (
    <>
      <p className={textClasses.strong}>
        A sign-in reached us at {at}, of the tenant {test.tenant}, with these claims:
      </p>
      <Facts facts={test.claims.map(({ name, value }) => ({ label: name, value }))} />
    </>
  )
}

const SignInTest = ({ test }: { test: Setup['signIn']['test'] }) => {
  const [isStarted, setStarted] = useState(false)
  const start = () => {
    setStarted(true)
    window.location.assign(getCallUrl(startSignInTest))
  }
  return (
    <div className={layoutClasses.stack} role="group" aria-label="Test of the sign-in">
      <p>Try it: sign in at the provider, and come back here. You stay signed in as you are, whatever account you use there.</p>
      {test === null ? null : <TestResult test={test} />}
      <div className={layoutClasses.wrappingRow}>
        <Button variant="default" loading={isStarted} onClick={start}>
          {test === null ? 'Test a Sign-in' : 'Test Again'}
        </Button>
      </div>
    </div>
  )
}

/** What Entra ID needs, what the server needs, and a test of both. */
export const SignInStep = ({ setup: { signIn } }: { setup: Setup }) => {
  const [tenant, setTenant] = useState('')
  const [client, setClient] = useState('')
  const fill = (line: string): string => {
    const withTenant = tenant.trim() === '' ? line : line.replace('TENANT/', `${tenant.trim()}/`).replace("'TENANT'", `'${tenant.trim()}'`)
    return client.trim() === '' ? withTenant : withTenant.replace("'CLIENT'", `'${client.trim()}'`)
  }
  return (
    <>
      <p>
        {signIn.isLocal
          ? 'Now the sign-in of this computer is used: it accepts any address without a password, so it is for trying out only.'
          : `Sign-in is connected, with the tenant ${signIn.tenant}.`}
      </p>
      <ol className={`${layoutClasses.stack} ${classes.numbered}`}>
        <li>
          In the Entra admin center, under <strong>App registrations</strong>, choose <strong>New registration</strong>. Choose{' '}
          <strong>Accounts in this organizational directory only</strong>, and the platform <strong>Web</strong> with this address:
          <Facts
            facts={[
              {
                label: 'Redirect URI',
                value: (
                  <WithCopy value={signIn.redirectUrl} what="redirect URI">
                    <code>{signIn.redirectUrl}</code>
                  </WithCopy>
                ),
              },
              {
                label: 'Second URI, under Authentication',
                value: (
                  <WithCopy value={signIn.logoutUrl} what="second URI">
                    <code>{signIn.logoutUrl}</code>
                  </WithCopy>
                ),
              },
            ]}
          />
        </li>
        <li>
          Under <strong>Certificates &amp; secrets</strong>, make a client secret. Its <strong>Value</strong> is{' '}
          <code>OIDC_CLIENT_SECRET</code>.
        </li>
        <li>
          Under <strong>API permissions</strong>, add the delegated permissions of Microsoft Graph <code>openid</code>, <code>profile</code>
          , <code>email</code>, <code>offline_access</code>, <code>User.Read</code> and <code>User.ReadBasic.All</code>, and grant admin
          consent.
        </li>
        <li>Copy the two IDs of its overview, and give the settings below to the server.</li>
      </ol>
      <TextInput label="Directory (tenant) ID" value={tenant} onChange={(event) => setTenant(event.currentTarget.value)} />
      <TextInput label="Application (client) ID" value={client} onChange={(event) => setClient(event.currentTarget.value)} />
      <VariablesBlock variables={signIn.variables} fill={fill} />
      <p className={textClasses.note}>
        Addresses of <code>SUPER_ADMINS</code> have level 1 once they sign in. Name your own work address there, since accounts of this
        computer end when the provider is connected.
      </p>
      <SignInTest test={signIn.test} />
    </>
  )
}
