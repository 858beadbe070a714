/** The steps of the setup, in order. Each can be done, skipped, and done later. */
export const SETUP_STEPS = ['organization', 'records', 'sign_in', 'mail', 'people'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** The name of each step, and what it is for in one sentence. */
export const STEP_TEXTS: Readonly<Record<SetupStep, { readonly title: string; readonly about: string }>> = {
  organization: {
    title: 'Organization',
    about: 'Its name, time zone and states are used on pages, in emails and in files.',
  },
  records: {
    title: 'Your records',
    about: 'Bring in your schools, sites and staff from the files that you have.',
  },
  sign_in: {
    title: 'Sign-in',
    about: 'Connect Microsoft Entra ID (Azure AD), so that everyone signs in with their work account.',
  },
  mail: {
    title: 'Mail',
    about: 'Connect a mail server, so that requests, reminders and invitations reach people.',
  },
  people: {
    title: 'People',
    about: 'Choose the first administrators, who look after the network with you.',
  },
}

/** What each setting of the server is for, and where its value comes from. */
export const VARIABLE_TEXTS: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'The web address under which people open Homeroom.',
  OIDC_ISSUER: 'The address of your Entra ID. It contains the tenant ID.',
  OIDC_TENANT: 'The directory (tenant) ID: only accounts of this organization can sign in.',
  OIDC_CLIENT_ID: 'The application (client) ID: how Entra ID knows Homeroom.',
  OIDC_CLIENT_SECRET: 'The value of the client secret from step 2: the password of Homeroom at Entra ID.',
  SECRET_KEY: 'Encrypts what Homeroom stores about sign-ins. The line below has a new one, made for you.',
  SUPER_ADMINS: 'Who gets level 1: work email addresses, yours first, separated by commas. Accounts of the trial sign-in end.',
  SMTP_URL: 'The mail server, its port, and the account that sends. In the password, write %40 for @, %3A for : and %2F for /.',
  MAIL_FROM: 'The name and address that emails come from.',
}

/** What has to be typed before the sample network is removed. */
export const REMOVAL_WORDS = 'remove the sample'
