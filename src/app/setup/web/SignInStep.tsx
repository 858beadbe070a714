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
      <p>
        Once all settings are set, try it: you sign in at Entra ID and come back here. Your session stays, whatever account you use there.
      </p>
      {test === null ? null : <TestResult test={test} />}
      <div className={layoutClasses.wrappingRow}>
        <Button variant="default" loading={isStarted} onClick={start}>
          {test === null ? 'Test a Sign-in' : 'Test Again'}
        </Button>
      </div>
    </div>
  )
}

const Address = ({ value, what }: { value: string; what: string }) => (
  <WithCopy value={value} what={what}>
    <code>{value}</code>
  </WithCopy>
)

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
          ? 'Until it is connected, anyone who can open this page signs in with any address and no password. That is only for trying Homeroom out.'
          : `Sign-in is connected, with the tenant ${signIn.tenant}.`}
      </p>
      <ol className={`${layoutClasses.stack} ${classes.numbered}`}>
        <li>
          <strong>Tell Entra ID about Homeroom.</strong> In the Entra admin center, open <strong>App registrations</strong> and press{' '}
          <strong>New registration</strong>. Choose <strong>Accounts in this organizational directory only</strong>, then the platform{' '}
          <strong>Web</strong> with the first address. Add the second one afterward under <strong>Authentication</strong>.
          <Facts
            facts={[
              { label: 'First address (redirect URI)', value: <Address value={signIn.redirectUrl} what="first address" /> },
              { label: 'Second address (after signing out)', value: <Address value={signIn.logoutUrl} what="second address" /> },
            ]}
          />
        </li>
        <li>
          <strong>Give Homeroom a password there.</strong> Under <strong>Certificates &amp; secrets</strong>, press{' '}
          <strong>New client secret</strong>, and copy its <strong>Value</strong> (not its ID). It is shown only once.
        </li>
        <li>
          <strong>Allow it to read names and photos.</strong> Under <strong>API permissions</strong>, choose{' '}
          <strong>Microsoft Graph</strong> and <strong>Delegated permissions</strong>, tick <code>openid</code>, <code>profile</code>,{' '}
          <code>email</code>, <code>offline_access</code>, <code>User.Read</code> and <code>User.ReadBasic.All</code>, and press{' '}
          <strong>Grant admin consent</strong>.
        </li>
        <li>
          <strong>Copy the two IDs</strong> of its <strong>Overview</strong> page into these fields. They are put into the lines for the
          server below.
        </li>
      </ol>
      <TextInput label="Directory (tenant) ID" value={tenant} onChange={(event) => setTenant(event.currentTarget.value)} />
      <TextInput label="Application (client) ID" value={client} onChange={(event) => setClient(event.currentTarget.value)} />
      <VariablesBlock variables={signIn.variables} fill={fill} />
      <SignInTest test={signIn.test} />
    </>
  )
}
