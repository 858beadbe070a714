import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { fetchJson } from '../support/api-client.ts'
import { replaceMarkedSection } from '../support/marked-section.ts'
import { runProof } from '../support/proof.ts'
import { wrongServer } from './dependencies/fault-proxy.ts'
import {
  DEPENDENCIES,
  DEPENDENCY_NAMES,
  MAX_RESPONSE_MS,
  measure,
  measureWithoutFault,
  formatFault,
  formatRow,
  STATE_LIST,
  formatTable,
} from './dependencies/measurement.ts'
import { startServerWithProxies } from './dependencies/server-with-proxies.ts'

const SITES = 12
const PAGE = new URL('../../docs/operators/dependencies.md', import.meta.url)
/** SQL Server has another protocol and is not available here, so only the failures of its driver are tested. */
const NO_SQL_SERVER = { HR_VIEW: 'hr_person', SAMPLE: 'none' }

await runProof('dependencies', async ({ log, report, expectEqual, expectNone, expectAtMost }) => {
  await using context = await startServerWithProxies(SITES)
  const { headers } = context.me
  const withoutFault = await measureWithoutFault(context)
  report('Requests in each round, all at once', withoutFault.requests)
  expectNone('Of those, failed without a fault', withoutFault.wrong)

  const rows: string[] = []
  const wrong: string[] = []
  let longestRecovery = 0
  for (const dependency of DEPENDENCIES) {
    let slowest = 0
    for (const state of STATE_LIST) {
      const { outcome, faults, notRecovered, recoveryMs, ...measured } = await measure(context, state, [dependency])
      rows.push(formatRow(dependency, state, outcome))
      log(`  ${rows.at(-1)} (${measured.slowest} ms, back in ${recoveryMs} ms)`)
      const failures = [...faults, ...notRecovered.map((line) => `did not come back: ${line}`)]
      wrong.push(...failures.map((line) => `${formatFault(dependency, state)}: ${line}`))
      slowest = Math.max(slowest, measured.slowest)
      longestRecovery = Math.max(longestRecovery, recoveryMs)
    }
    const name = DEPENDENCY_NAMES[dependency].toLowerCase()
    expectAtMost(`Longest response with a fault of the ${name}`, slowest / 1000, MAX_RESPONSE_MS / 1000, 's')
  }
  report('Faults tried', rows.length)
  expectNone('Responses of 500, 503 without Retry-After, missing responses, or parts that did not recover', wrong)
  report('Longest time from the end of a fault to full recovery', `${(longestRecovery / 1000).toFixed(1)} s`)
  expectEqual('Servers that exited during the faults', context.server.isRunning ? 0 : 1, 0)

  // Requests made in the meantime were stored, and are mailed without further action.
  const { counts } = await fetchJson<{ counts: { open: number } }>(`${context.url}/api/requests`, { headers })
  const requests = counts.open
  report('Requests made during the faults', requests)
  for (let attempt = 0; attempt < 1800 && context.countMails() < requests; attempt++) await pause(200)
  expectEqual('Requests made during the faults whose mail did not arrive', Math.max(requests - context.countMails(), 0), 0)

  // Starts while the provider is down, with a SQL Server as HR source that fails at random.
  await context.proxies.provider.setFault('down')
  await context.proxies.hr.setFault('down')
  const port = context.proxies.hr.port
  const another = await context.startAnother({ ...NO_SQL_SERVER, HR_URL: `mssql://reader:secret@127.0.0.1:${port}/hr?encrypt=false` })
  const lists = await fetch(`${another.url}/locations-api/brand`, { headers })
  expectEqual('A server that starts while the provider is down answers signed-in users', lists.status, 200)
  const startSignIn = async (): Promise<string> =>
    (await fetch(`${another.url}/auth/azure`, { redirect: 'manual' })).headers.get('location') ?? ''
  expectEqual('and returns new sign-ins to the login page', Number((await startSignIn()).includes('auth=fail')), 1)
  await context.proxies.provider.setFault('none')
  expectEqual('and sends them to the provider once it is up', Number((await startSignIn()).includes('/authorize')), 1)
  let unavailable = 0
  for (const fault of ['down', 'silent', { reply: wrongServer }] as const) {
    await context.proxies.hr.setFault(fault)
    if ((await fetch(`${another.url}/api/sql/an`, { headers })).status === 503) unavailable++
  }
  expectEqual('HR search with a SQL Server that is down, silent, or a web server: 503', unavailable, 3)

  if (process.argv.includes('--write'))
    await writeFile(PAGE, replaceMarkedSection(await readFile(PAGE, 'utf8'), 'dependencies', formatTable(rows)))
})
