import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { type Call, callName } from '../../../src/contract/call.ts'
import { refreshSession } from '../../../src/features/access/session/contract.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import { type Credential, formatPair, getExpectedAccess } from './credentials.ts'
import { toPath, type ValidRequest, createValidRequest, type TestNetwork } from './valid-requests.ts'

/** The results of the checks, and every response that contradicts the table of capabilities. */
export interface AccessReport {
  sent: number
  refused: number
  allowed: number
  /** Refused attempts after which all tables were compared. */
  digests: number
  /** Calls that succeeded with a sufficient credential; calls that write must also change the tables. */
  succeeded: number
  readonly mismatches: string[]
  readonly changed: string[]
}
export const createAccessReport = (): AccessReport => ({
  sent: 0,
  refused: 0,
  allowed: 0,
  digests: 0,
  succeeded: 0,
  mismatches: [],
  changed: [],
})

/** Columns about the use of a session or token, which do not reflect a call's effect. */
const NOTES_OF_USE = `- 'usedAt' - 'address'`

/** A short digest of every table's content. */
export const digestAllTables = async ({ db }: Pick<AppContext, 'db'>): Promise<Map<string, string>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db)
  const each = tables.map(({ name }) => {
    const row = /\.(session|api_token)$/.test(name) ? `(to_jsonb(t) ${NOTES_OF_USE})::text` : 't::text'
    // A sum needs no sorting, which took most of the time.
    return `select '${name}' as name, concat_ws(' ', count(*), sum(hashtextextended(${row}, 0))) as digest from ${name} t`
  })
  const { rows } = await sql.raw<{ name: string; digest: string }>(each.join(' union all ')).execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

const changedTables = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)

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
  const attempt = await createValidRequest(call, network)
  const address = toPath(call, attempt)
  const { body } = attempt
  const refusing = credentials.filter((credential) => getExpectedAccess(call, credential) !== 'let in')
  const before = await digestAllTables(context)
  const methods = call.method === 'GET' && !call.path.startsWith('/auth/') ? ['GET', 'HEAD'] : [call.method]
  await Promise.all(
    refusing.flatMap((credential) =>
      methods.map(async (method) => {
        const wanted = getExpectedAccess(call, credential)
        const { status } = await send(method, address, { headers: { ...attempt.headers, ...credential.headers }, body })
        report.sent++
        report.refused++
        if (status !== wanted) report.mismatches.push(`${method} ${formatPair(call, credential)}: ${status} in place of ${wanted}`)
      }),
    ),
  )
  if (refusing.length > 0) {
    report.digests++
    const changed = changedTables(before, await digestAllTables(context))
    if (changed.length > 0) report.changed.push(`${callName(call)}, refused, changed ${changed.join(', ')}`)
  }

  const plain = toHarmlessRequest(call)
  const letIn = credentials.filter((credential) => getExpectedAccess(call, credential) === 'let in')
  await Promise.all(
    letIn.map(async (credential) => {
      const { status } = await send(call.method, plain.path, { headers: { ...FOREIGN, ...credential.headers }, body: plain.body })
      report.sent++
      report.allowed++
      // Refreshing an invalid session is refused by the call itself, not by the guard.
      const isOver = call === refreshSession && (credential.level === null || credential.isCookieAlone)
      const isRight = isOver ? status === 401 : status !== 401 && status !== 403 && status < 500
      if (!isRight) report.mismatches.push(`${formatPair(call, credential)}: ${status}, and it should be let in`)
    }),
  )
  await sendWithAccess(call, network, address, attempt, report)
}

const sendWithAccess = async (
  call: Call,
  { send, context, owner }: TestNetwork,
  address: string,
  { body, headers, as = owner }: ValidRequest,
  report: AccessReport,
): Promise<void> => {
  const mustWrite = call.method !== 'GET' && !READS.has(callName(call))
  const before = mustWrite ? await digestAllTables(context) : new Map<string, string>()
  const { status, body: answer } = await send(call.method, address, { headers: { ...headers, ...as.headers }, body })
  const wanted = call.response === 'redirect' ? status === 302 : status >= 200 && status < 300
  if (!wanted) report.mismatches.push(`${callName(call)}, sent by level 1 with everything right: ${status} ${answer.slice(0, 300)}`)
  else if (mustWrite && changedTables(before, await digestAllTables(context)).length === 0)
    report.mismatches.push(`${callName(call)} went well and changed nothing: the attempt proves nothing`)
  else report.succeeded++
  if (call.response === 'workbook') await waitForDownloadLog(context)
}

/** The end of a download is recorded after its last byte was sent. */
const waitForDownloadLog = async ({ db }: AppContext): Promise<void> => {
  const underWay = () => db.selectFrom('download').select('_id').executeTakeFirst()
  for (let attempt = 0; attempt < 200 && (await underWay()); attempt++) await pause(25)
}

/** Calls that send a body but write nothing. */
const READS = new Set(['POST /api/hr/known', 'POST /api/bulk/preview'])
