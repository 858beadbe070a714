import { createDossier } from '../../../src/app/dossier/contract.ts'
import { removeSample } from '../../../src/app/setup/contract.ts'
import { type Call, callName } from '../../../src/contract/call.ts'
import { refreshSession } from '../../../src/features/access/session/contract.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type Credential, getExpectedAccess } from './credentials.ts'
import type { TestNetwork } from './test-network.ts'
import { createValidRequest } from './valid-requests.ts'

/** The results of the checks, and every response that contradicts the table of capabilities. */
export class AccessReport {
  sent = 0
  refused = 0
  /** Calls that succeeded with a sufficient credential; calls that write must also change the tables. */
  succeeded = 0
  readonly mismatches: string[] = []
  readonly changed: string[] = []
}

/** Every parameter is an unknown id and the body is invalid, so that nothing changes if the call is allowed. */
const toHarmlessRequest = (call: Call) => ({
  path: call.path.replace(/:\w+/g, 'x'),
  body: call.body ? { 'a field that is not there': true } : undefined,
})
/** A link from another site does not sign out, so the test's own sessions survive. */
const FOREIGN = { 'sec-fetch-site': 'cross-site' }

/** Calls that send a body but write nothing. */
const READS = new Set([
  'POST /api/hr/known',
  'POST /api/bulk/preview',
  'POST /api/duplicates/find',
  'POST /api/merges/preview',
  'POST /api/webhooks/preview',
  'POST /api/devices/:id/profile',
  'POST /api/verify',
  'PUT /api/live/forms/:form',
  'DELETE /api/live/forms/:form',
])

/**
 * Tries one call with every credential: if the table refuses it, with existing ids and a valid body; if it allows it, with an unknown id. The refused
 * request is also sent with a sufficient credential. It must succeed, since otherwise the refusals would prove nothing.
 */
export const checkCallAccess = async (
  call: Call,
  credentials: readonly Credential[],
  network: TestNetwork,
  report: AccessReport,
): Promise<void> => {
  const { send, context, owner, findChanges } = network
  const name = callName(call)
  const { path, body, as = owner } = await createValidRequest(call, network)
  await findChanges()

  const methods = call.method === 'GET' && !call.path.startsWith('/auth/') ? ['GET', 'HEAD'] : [call.method]
  const tryRefused = async (credential: Credential, method: string): Promise<void> => {
    const wanted = getExpectedAccess(call, credential)
    const { status } = await send(method, path, { headers: credential.headers, body })
    report.refused++
    if (status !== wanted) report.mismatches.push(`${method} ${call.path} with ${credential.name}: ${status} in place of ${wanted}`)
  }
  const refusing = credentials.filter((credential) => getExpectedAccess(call, credential) !== 'let in')
  await Promise.all(refusing.flatMap((credential) => methods.map((method) => tryRefused(credential, method))))
  const changed = await findChanges()
  if (changed.length > 0) report.changed.push(`${name}, refused, changed ${changed.join(', ')}`)

  const harmless = toHarmlessRequest(call)
  const tryAllowed = async (credential: Credential): Promise<void> => {
    const response = await send(call.method, harmless.path, { headers: { ...FOREIGN, ...credential.headers }, body: harmless.body })
    // Refreshing an invalid session is refused by the call itself, not by the guard.
    const isOver = call === refreshSession && (credential.level === null || credential.isCookieAlone)
    const isRight = isOver ? response.status === 401 : response.status !== 401 && response.status !== 403 && response.status < 500
    if (!isRight) report.mismatches.push(`${name} with ${credential.name}: ${response.status}, and it should be let in`)
  }
  const letIn = credentials.filter((credential) => !refusing.includes(credential))
  // It ends the sessions of everyone but its sender.
  const isEnding = call === removeSample
  if (isEnding) await Promise.all(letIn.map(tryAllowed))

  const { status, body: answer } = await send(call.method, path, { headers: as.headers, body })
  const isSuccess = call.response === 'redirect' ? status === 302 : status >= 200 && status < 300
  const writes = call.method !== 'GET' && !READS.has(name)
  if (!isSuccess) report.mismatches.push(`${name}, sent by level 1 with everything right: ${status} ${answer.slice(0, 300)}`)
  else if (writes && (await findChanges()).length === 0)
    report.mismatches.push(`${name} went well and changed nothing: the attempt proves nothing`)
  else report.succeeded++

  if (!isEnding) await Promise.all(letIn.map(tryAllowed))
  report.sent += refusing.length * methods.length + letIn.length
  // Made in the background.
  if (call === createDossier)
    await waitUntil('no dossier is being made', async () => {
      const making = await context.db.selectFrom('dossier').select('_id').where('state', 'in', ['waiting', 'making']).executeTakeFirst()
      return making === undefined
    })
  // The end of a download is recorded after its last byte was sent.
  if (call.response === 'workbook' || call.response === 'file')
    await waitUntil('no download is under way', async () => !(await context.db.selectFrom('download').select('_id').executeTakeFirst()))
}
