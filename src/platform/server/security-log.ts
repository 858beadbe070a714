import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** Log lines for sign-ins, permissions and refused attempts: level and text. Everyday events are below `warn`, the default level. */
const EVENTS = {
  signed_in: ['info', 'Someone has signed in'],
  signed_out: ['info', 'Someone has signed out'],
  no_session: ['info', 'A request came without a session'],
  sign_in_failed: ['warn', 'A sign-in failed'],
  access_refused: ['warn', 'A request was refused'],
  limit_reached: ['warn', 'A request was one too many'],
  permission_granted: ['warn', 'Someone was made an administrator'],
  permission_removed: ['warn', 'Someone was removed as an administrator'],
  person_left: ['warn', 'Someone was marked as no longer employed'],
  personal_data_erased: ['warn', 'The personal data of someone was erased'],
  leaving_undone: ['warn', 'Marking someone as no longer employed was undone'],
  api_token_made: ['warn', 'An API token was created'],
  api_token_removed: ['warn', 'An API token was removed'],
  calendar_made: ['warn', 'A calendar feed was created'],
  calendar_renewed: ['warn', 'A calendar feed got a new address'],
  calendar_removed: ['warn', 'A calendar feed was removed'],
  device_made: ['warn', 'A device password was created'],
  device_removed: ['warn', 'A device password was removed'],
  assistant_allowed: ['warn', 'An assistant was let in'],
  assistant_ended: ['warn', 'The access of an assistant was ended'],
  webhook_made: ['warn', 'A webhook was created'],
  webhook_changed: ['warn', 'A webhook was changed'],
  webhook_secret_renewed: ['warn', 'A webhook got a new secret'],
  webhook_removed: ['warn', 'A webhook was removed'],
  scim_token_made: ['warn', 'A token for the directory was created'],
  scim_token_removed: ['warn', 'A token for the directory was removed'],
  level_mappings_changed: ['warn', 'The levels of groups were changed'],
  account_disabled: ['warn', 'The directory disabled or deleted someone'],
  account_enabled: ['warn', 'The directory enabled someone again'],
  session_ended: ['warn', 'A session was ended from a list'],
  signed_out_everywhere: ['warn', 'All sessions of an account were ended'],
  sessions_refused_by_provider: ['warn', 'The provider refused a renewal; the sessions of this account have ended'],
} as const satisfies Record<string, readonly ['info' | 'warn', string]>
export type SecurityEvent = keyof typeof EVENTS

/** Ids, numbers and fixed texts: never a name, an email address, or user input. */
type Details = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** Who makes the request, and from where; `program` if it is an API token of theirs. */
const describeCaller = ({ id, ip, signedIn }: FastifyRequest) => ({
  reqId: id,
  account: signedIn?.account ?? null,
  ...(signedIn && signedIn.session === null ? { program: true } : {}),
  address: ip,
})

/** Logs one event after it has happened: not within a transaction, which may still fail. */
export const logSecurityEvent = (
  log: FastifyBaseLogger,
  request: FastifyRequest | null,
  event: SecurityEvent,
  details: Details = {},
): void => {
  const [level, words] = EVENTS[event]
  log[level]({ event, ...(request && describeCaller(request)), ...details }, words)
}
