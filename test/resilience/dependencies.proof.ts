import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { replaceMarkedSection } from '../support/marked-section.ts'
import { runProof } from '../support/proof.ts'
import {
  DEPENDENCY_NAMES,
  MAX_RESPONSE_MS,
  measure,
  measureWithoutFault,
  prepareFaultTest,
  formatRow,
  STATE_NAMES,
  STATES,
  formatTable,
} from './dependencies/measurement.ts'
import { DEPENDENCIES, startServerWithProxies } from './dependencies/server-with-proxies.ts'

const SITES = 12
const PAGE = new URL('../../docs/operators/dependencies.md', import.meta.url)
/** SQL Server has another protocol and is not available here, so only the failures of its driver are tested. */
const NO_SQL_SERVER = { HR_VIEW: 'hr_person', SAMPLE: 'none' }

await runProof('dependencies', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using context = await startServerWithProxies(SITES)
  const scene = await prepareFaultTest(context)
  const { me } = scene
  const withoutFault = await measureWithoutFault(scene)
  report('Requests in each round, all at once', withoutFault.requests)
  expectNone('Of those, failed without a fault', withoutFault.wrong)

  const rows: string[] = []
  const wrong: string[] = []
  let longestRecovery = 0
  for (const dependency of DEPENDENCIES) {
    let slowest = 0
    for (const state of STATES) {
      const measured = await measure(scene, state, [dependency])
      rows.push(formatRow(dependency, state, measured.outcome))
      log(`  ${rows.at(-1)} (${measured.slowest} ms, back in ${measured.recoveryMs} ms)`)
      const where = `${DEPENDENCY_NAMES[dependency]}, ${STATE_NAMES[state]}`
      wrong.push(
        ...[...measured.faults, ...measured.notRecovered.map((line) => `did not come back: ${line}`)].map((line) => `${where}: ${line}`),
      )
      slowest = Math.max(slowest, measured.slowest)
      longestRecovery = Math.max(longestRecovery, measured.recoveryMs)
    }
    expectAtMost(
      `Longest answer with a fault of the ${DEPENDENCY_NAMES[dependency].toLowerCase()}`,
      slowest / 1000,
      MAX_RESPONSE_MS / 1000,
      's',
    )
  }
  report('Faults tried', rows.length)
  expectNone('Answers of 500, 503 without Retry-After, missing answers, or parts that did not recover', wrong)
  report('Longest time from the end of a fault to full recovery', `${(longestRecovery / 1000).toFixed(1)} s`)
  expectEqual('Servers that exited during the faults', context.server.isRunning ? 0 : 1, 0)

  // Requests made in the meantime were stored, and are mailed without further action.
  const requests = await countRequests()
  report('Requests made during the faults', requests)
  for (let attempt = 0; attempt < 1800 && context.countMails() < requests; attempt++) await pause(200)
  expectEqual('Requests made during the faults whose mail did not arrive', Math.max(requests - context.countMails(), 0), 0)

  // Starts while the provider is down, with a SQL Server as HR source that fails at random.
  await context.proxies.provider.setFault('down')
  await context.proxies.hr.setFault('down')
  const port = context.proxies.hr.port
  const another = await context.startAnother({ ...NO_SQL_SERVER, HR_URL: `mssql://reader:secret@127.0.0.1:${port}/hr?encrypt=false` })
  const search = (): Promise<Response> => fetch(`${another.url}/api/sql/an`, { headers: { ...me.headers } })
  const lists = await fetch(`${another.url}/locations-api/brand`, { headers: { ...me.headers } })
  expectEqual('A server that starts while the provider is down answers signed-in users', lists.status, 200)
  const refused = await fetch(`${another.url}/auth/azure`, { redirect: 'manual' })
  expectEqual('and returns new sign-ins to the login page', Number(refused.headers.get('location')?.includes('auth=fail')), 1)
  await context.proxies.provider.setFault('none')
  const sent = await fetch(`${another.url}/auth/azure`, { redirect: 'manual' })
  expectEqual('and sends them to the provider once it is up', Number(sent.headers.get('location')?.includes('/authorize')), 1)
  let unavailable = 0
  for (const fault of ['down', 'silent', { reply: () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') }] as const) {
    await context.proxies.hr.setFault(fault)
    if ((await search()).status === 503) unavailable++
  }
  expectEqual('HR search with a SQL Server that is down, silent, or a web server: 503', unavailable, 3)

  if (process.argv.includes('--write'))
    await writeFile(PAGE, replaceMarkedSection(await readFile(PAGE, 'utf8'), 'dependencies', formatTable(rows)))

  async function countRequests(): Promise<number> {
    const response = await fetch(`${context.url}/api/requests`, { headers: { ...me.headers } })
    return ((await response.json()) as { counts: { open: number } }).counts.open
  }
})
