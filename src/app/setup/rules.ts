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
    about: 'Connect Microsoft Entra ID, so that everyone signs in with their work account.',
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

/** What has to be typed before the sample network is removed. */
export const REMOVAL_WORDS = 'remove the sample'
