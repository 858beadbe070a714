import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { moment, text } from '../../contract/fields.ts'
import { requiredEmail } from '../../contract/text-schemas.ts'
import { REMOVAL_WORDS, SETUP_STEPS } from './rules.ts'

const StepName = z.enum(SETUP_STEPS)
const StepState = z.enum(['open', 'skipped', 'done'])

/** A setting of the server’s environment: whether the server has it, and a line to copy. Values are not shown, since some are secret. */
const Variable = z.strictObject({ name: z.string(), isSet: z.boolean(), line: z.string() })
export type Variable = z.infer<typeof Variable>

export const Finding = z.strictObject({ what: z.string(), state: z.enum(['right', 'wrong', 'note']), words: z.string() })
export type Finding = z.infer<typeof Finding>

export const Setup = z.strictObject({
  /** Whether there is no record yet. */
  isEmpty: z.boolean(),
  /** Whether the setup was begun here, in an empty database. */
  isBegun: z.boolean(),
  steps: z.array(z.strictObject({ name: StepName, state: StepState })),
  /** The sample network, while there is one: its sites, and how many changes people have made since. */
  sample: z.strictObject({ sites: z.int(), changes: z.int() }).nullable(),
  organization: z.strictObject({
    timeZone: z.string(),
    /** Whether the server’s environment has a time zone, which then counts. */
    isTimeZoneFixed: z.boolean(),
  }),
  /** How many there are of what can be imported. */
  records: z.array(z.strictObject({ kind: z.string(), label: z.string(), count: z.int() })),
  signIn: z.strictObject({
    /** Whether the sign-in of this computer is used, which asks for no password. */
    isLocal: z.boolean(),
    redirectUrl: z.string(),
    logoutUrl: z.string(),
    tenant: z.string(),
    variables: z.array(Variable),
    /** The result of the last test of the caller. */
    test: z
      .strictObject({
        at: moment,
        problem: text,
        tenant: text,
        claims: z.array(z.strictObject({ name: z.string(), value: z.string() })),
      })
      .nullable(),
  }),
  mail: z.strictObject({ isConfigured: z.boolean(), from: z.string(), variables: z.array(Variable) }),
  /** How many administrators there are besides the caller. */
  administrators: z.int(),
})
export type Setup = z.infer<typeof Setup>

export const readSetup = call('GET', '/api/setup', {
  capability: 'set up the program',
  summary:
    'How far the setup is: the steps with their state, what is there already, and which settings the server has. Values of settings are not shown.',
  response: Setup,
})

export const saveSetupStep = call('PATCH', '/api/setup/steps/:step', {
  capability: 'set up the program',
  summary: 'Marks a step of the setup as done or skipped, or opens it again. A step counts as done only with what it is for.',
  params: z.object({ step: StepName }),
  body: z.strictObject({ state: StepState }),
  response: Setup,
})

export const readFindings = call('GET', '/api/setup/findings', {
  capability: 'set up the program',
  rateLimit: { perMinute: 30 },
  summary:
    'What `homeroom doctor` finds from the server: what is right, wrong and worth knowing. It takes a few seconds and changes nothing.',
  response: z.array(Finding),
})

export const sendTestMail = call('POST', '/api/setup/test-mail', {
  capability: 'set up the program',
  rateLimit: { perMinute: 10 },
  summary: 'Sends a test mail to one address, and answers what the mail server said.',
  body: z.strictObject({ to: requiredEmail() }),
  response: z.array(Finding),
})

export const removeSample = call('POST', '/api/setup/remove-sample', {
  capability: 'set up the program',
  rateLimit: { perMinute: 6 },
  summary: `Makes a backup, then removes the sample network with everything that was changed in it; the account of the caller and the settings stay. \`confirm\` is “${REMOVAL_WORDS}”. A database without the sample network is a 409.`,
  body: z.strictObject({ confirm: z.literal(REMOVAL_WORDS, `Type “${REMOVAL_WORDS}”`) }),
  response: z.strictObject({ backup: z.string() }),
  sessionOnly: true,
})
