import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byUuid, id, moment } from '../../../contract/fields.ts'
import { SCOPE_NAMES } from './rules.ts'

/** An assistant that someone let in. Its tokens are never included. */
export const Assistant = z.strictObject({
  _id: id,
  /** What the program calls itself. */
  name: z.string(),
  /** Where its answers went when it was let in. */
  destination: z.string(),
  scopes: z.array(z.enum(SCOPE_NAMES)),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment,
  owner: z.strictObject({ _id: id, name: z.string() }),
})
export type Assistant = z.infer<typeof Assistant>

const ownAccess = { capability: 'browse the directory', sessionOnly: true } as const

export const listAssistants = call('GET', '/api/assistants', {
  ...ownAccess,
  summary: 'The assistants that the caller let in, oldest first; for level 1 everyone’s.',
  response: z.array(Assistant),
})

export const endAssistant = call('DELETE', '/api/assistants/:id', {
  ...ownAccess,
  summary: 'Ends the access of an assistant of the caller, for level 1 of anyone’s. Its next request is refused.',
  params: byUuid,
  response: 'nothing',
})

/** An assistant that asks to be let in. */
export const ConsentRequest = z.strictObject({
  /** What the program calls itself. */
  name: z.string(),
  destination: z.string(),
  scopes: z.array(z.enum(SCOPE_NAMES)),
})
export type ConsentRequest = z.infer<typeof ConsentRequest>

const consentParams = z.object({ id: z.string().regex(/^[\w-]{10,64}$/) })

/** The path of both calls: the cookie of a request is sent to no other. */
export const CONSENT_PATH = '/api/assistants/consent'

export const readConsentRequest = call('GET', `${CONSENT_PATH}/:id`, {
  ...ownAccess,
  summary: 'An assistant that asks to be let in, in the browser in which it asked.',
  params: consentParams,
  response: ConsentRequest,
})

export const answerConsentRequest = call('POST', `${CONSENT_PATH}/:id`, {
  ...ownAccess,
  rateLimit: { perMinute: 60 },
  summary: 'Lets an assistant in or refuses it. Answers with where the browser goes next.',
  params: consentParams,
  body: z.strictObject({ allow: z.boolean() }),
  response: z.strictObject({ url: z.string() }),
})

export const AssistantSettings = z.strictObject({
  isOn: z.boolean(),
  /** Whether `MCP=on` of the configuration turned it on, so that the setting has no effect. */
  isOnByConfiguration: z.boolean(),
  /** The address that people enter in their assistants. */
  url: z.string(),
  /** How many assistants were let in. */
  assistants: z.int(),
})
export type AssistantSettings = z.infer<typeof AssistantSettings>

export const readAssistantSettings = call('GET', '/api/settings/assistants', {
  capability: 'connect assistants',
  summary: 'Whether assistants can connect, and at which address.',
  response: AssistantSettings,
})

export const saveAssistantSettings = call('PUT', '/api/settings/assistants', {
  capability: 'connect assistants',
  summary: 'Turns the access of assistants on or off, for everyone. What people granted is kept.',
  body: z.strictObject({ isOn: z.boolean() }),
  response: AssistantSettings,
})
