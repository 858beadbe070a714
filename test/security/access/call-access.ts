import { sql } from 'kysely'

import { type Call, callName } from '../../../src/contract/call.ts'
import { refreshSession } from '../../../src/features/access/session/contract.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type Credential, getExpectedAccess } from './credentials.ts'
import { type ValidRequest, createValidRequest, type TestNetwork } from './valid-requests.ts'

/** The results of the checks, and every response that contradicts the table of capabilities. */
export class AccessReport {
  sent = 0
  refused = 0
  /** Calls that succeeded with a sufficient credential; calls that write must also change the tables. */
  succeeded = 0
  readonly mismatches: string[] = []
  readonly changed: string[] = []
}

type DatabaseContext = Pick<AppContext, 'db'>

/** Every table of the program, quoted. */
export const listTables = async ({ db }: DatabaseContext): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Columns about the use of a session or token, which do not reflect a call's effect. */
const NOTES_OF_USE = `- 'usedAt' - 'address'`

/** A short digest of every table's content. */
const digestAllTables = async (context: DatabaseContext): Promise<Map<string, string>> => {
  const each = (await listTables(context)).map((name) => {
    const row = /\.(session|api_token)$/.test(name) ? `(to_jsonb(t) ${NOTES_OF_USE})::text` : 't::text'
    // A sum needs no sorting, which took most of the time.
    return `select '${name}' as name, concat_ws(' ', count(*), sum(hashtextextended(${row}, 0))) as digest from ${name} t`
  })
  const { rows } = await sql.raw<{ name: string; digest: string }>(each.join(' union all ')).execute(context.db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

/** The tables that have changed after some work. */
export const findChangedTables = async (context: DatabaseContext, work: () => Promise<unknown>): Promise<string[]> => {
  const before = await digestAllTables(context)
  await work()
  return [...(await digestAllTables(context))].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)
}

/** Every parameter is an unknown id and the body is invalid, so that nothing changes if the call is allowed. */
const toHarmlessRequest = (call: Call) => ({
  path: call.path.replace(/:\w+/g, 'x'),
  body: call.body ? { 'a field that is not there': true } : undefined,
})
/** A link from another site does not sign out, so the test's own sessions survive. */
const FOREIGN = { 'sec-fetch-site': 'cross-site' }

/**
 * Tries one call with every credential: if the table refuses it, with existing ids and a valid body; if it allows it, with an unknown id. Then sends
 * the refused request with a sufficient credential. It must succeed, since otherwise the refusals would prove nothing.
 */
export const checkCallAccess = async (
  call: Call,
  credentials: readonly Credential[],
  network: TestNetwork,
  report: AccessReport,
): Promise<void> => {
  const { send, context } = network
  const valid = await createValidRequest(call, network)
  const methods = call.method === 'GET' && !call.path.startsWith('/auth/') ? ['GET', 'HEAD'] : [call.method]
  const tryRefused = async (credential: Credential, method: string): Promise<void> => {
    const wanted = getExpectedAccess(call, credential)
    const { status } = await send(method, valid.path, { headers: credential.headers, body: valid.body })
    report.refused++
    if (status !== wanted) report.mismatches.push(`${method} ${call.path} with ${credential.name}: ${status} in place of ${wanted}`)
  }
  const refusing = credentials.filter((credential) => getExpectedAccess(call, credential) !== 'let in')
  const changed = await findChangedTables(context, () =>
    Promise.all(refusing.flatMap((credential) => methods.map((method) => tryRefused(credential, method)))),
  )
  if (changed.length > 0) report.changed.push(`${callName(call)}, refused, changed ${changed.join(', ')}`)

  const harmless = toHarmlessRequest(call)
  const tryAllowed = async (credential: Credential): Promise<void> => {
    const { status } = await send(call.method, harmless.path, { headers: { ...FOREIGN, ...credential.headers }, body: harmless.body })
    // Refreshing an invalid session is refused by the call itself, not by the guard.
    const isOver = call === refreshSession && (credential.level === null || credential.isCookieAlone)
    const isRight = isOver ? status === 401 : status !== 401 && status !== 403 && status < 500
    if (!isRight) report.mismatches.push(`${callName(call)} with ${credential.name}: ${status}, and it should be let in`)
  }
  const letIn = credentials.filter((credential) => !refusing.includes(credential))
  await Promise.all(letIn.map(tryAllowed))
  report.sent += refusing.length * methods.length + letIn.length
  await sendWithAccess(call, network, valid, report)
}

const sendWithAccess = async (
  call: Call,
  { send, context, owner }: TestNetwork,
  { path, body, as = owner }: ValidRequest,
  report: AccessReport,
): Promise<void> => {
  let response = { status: 0, body: '' }
  const sendValid = async (): Promise<void> => {
    response = await send(call.method, path, { headers: as.headers, body })
  }
  let changed: string[] | undefined
  if (call.method === 'GET' || READS.has(callName(call))) await sendValid()
  else changed = await findChangedTables(context, sendValid)
  const isSuccess = call.response === 'redirect' ? response.status === 302 : response.status >= 200 && response.status < 300
  if (!isSuccess)
    report.mismatches.push(`${callName(call)}, sent by level 1 with everything right: ${response.status} ${response.body.slice(0, 300)}`)
  else if (changed?.length === 0) report.mismatches.push(`${callName(call)} went well and changed nothing: the attempt proves nothing`)
  else report.succeeded++
  // The end of a download is recorded after its last byte was sent.
  if (call.response === 'workbook')
    await waitUntil('no download is under way', async () => !(await context.db.selectFrom('download').select('_id').executeTakeFirst()))
}

/** Calls that send a body but write nothing. */
const READS = new Set(['POST /api/hr/known', 'POST /api/bulk/preview'])
