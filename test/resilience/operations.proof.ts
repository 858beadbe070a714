import { doctorCommand } from '../../src/doctor/command.server.ts'
import { ConfigurationError } from '../../src/platform/server/configuration-error.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { getFreePort } from '../support/free-port.ts'
import { runProof } from '../support/proof.ts'
import { testShutdown } from './operations/shutdown.ts'

const PRODUCTION = {
  PUBLIC_URL: 'https://homeroom.school.example',
  HOST: '0.0.0.0',
  OIDC_ISSUER: 'https://login.example/t/v2.0',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'q7~Zr',
  OIDC_TENANT: 't',
  SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
}
/** Settings with which a production start must fail. */
const MISTAKES: Readonly<Record<string, Record<string, string>>> = {
  'the local sign-in provider': { OIDC_ISSUER: '' },
  'the sample network': { SAMPLE: '300' },
  'an address without TLS': { PUBLIC_URL: 'http://homeroom.school.example' },
  'no SECRET_KEY': { SECRET_KEY: '' },
  'a SECRET_KEY of one character': { SECRET_KEY: 'a'.repeat(40) },
  'a SECRET_KEY that repeats itself': { SECRET_KEY: '0123456789abcdef'.repeat(2) },
  'an example’s SECRET_KEY': { SECRET_KEY: 'change-me-to-32-characters-or-more!' },
  'no OIDC_CLIENT_SECRET': { OIDC_CLIENT_SECRET: '' },
  'a weak METRICS_TOKEN': { METRICS_TOKEN: 'x'.repeat(16) },
}

const isRefused = (environment: Record<string, string>): boolean => {
  try {
    readConfiguration(environment)
    return false
  } catch (error) {
    return error instanceof ConfigurationError && error.mistakes.length === 1
  }
}

const ROUNDS = 2

await runProof('operations', async ({ log, report, expectEqual, expectAtMost }) => {
  const refused = Object.values(MISTAKES).filter((wrong) => isRefused({ ...PRODUCTION, ...wrong }))
  report('mistakes in the configuration of a production start', Object.keys(MISTAKES).length)
  expectEqual('of them not refused in one line each', Object.keys(MISTAKES).length - refused.length, 0)
  expectEqual('a valid configuration refused', Number(isRefused(PRODUCTION)), 0)

  let text = ''
  const unusedAddress = `127.0.0.1:${await getFreePort()}`
  const began = Date.now()
  const code = await doctorCommand({
    environment: {
      ...PRODUCTION,
      PUBLIC_URL: `http://127.0.0.1:${await getFreePort()}`,
      OIDC_ISSUER: `http://${unusedAddress}`,
      DATABASE_URL: `postgres://homeroom:Zq81-secret@${unusedAddress}/homeroom`,
      SMTP_URL: `smtp://homeroom:Zq81-secret@${unusedAddress}`,
      HR_URL: `postgres://homeroom:Zq81-secret@${unusedAddress}/hr`,
      GRAPH_URL: `http://${unusedAddress}/v1.0`,
      DATA_DIR: '/dev/null/data',
    },
    out: { write: (more) => (text += more) },
  })
  const wrong = text.split('\n').filter((line) => line.startsWith('WRONG'))
  expectEqual('services that are down and found by the doctor', new Set(wrong.map((line) => line.slice(6).split(':')[0])).size, 6)
  expectEqual('the exit code of the doctor then', code, 1)
  expectEqual('secrets the doctor printed', Number(/Zq81|q7~Zr|8Jx2m/.test(text)), 0)
  expectAtMost('the doctor took', (Date.now() - began) / 1000, 30, 's')

  const stops: Awaited<ReturnType<typeof testShutdown>>[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    stops.push(await testShutdown({ drainSeconds: 2, requests: 6, downloads: 2 }))
    log(`      ${round} of ${ROUNDS} servers stopped`)
  }
  const sum = (countOf: (stop: (typeof stops)[number]) => number): number => stops.reduce((all, stop) => all + countOf(stop), 0)
  report('servers stopped by SIGTERM while busy', `${ROUNDS}, each with 6 requests and 2 downloads that waited`)
  report(
    'requests to them while they drained',
    sum(({ requestsWhileDraining }) => requestsWhileDraining),
  )
  expectEqual(
    'of these not answered',
    sum(({ refusedEarly }) => refusedEarly),
    0,
  )
  expectEqual(
    'of these answered as ready by /readyz',
    sum(({ readyWhileDraining }) => readyWhileDraining),
    0,
  )
  expectEqual(
    'open requests that were not answered',
    sum(({ unanswered }) => unanswered),
    0,
  )
  expectEqual(
    'answers without Connection: close',
    sum(({ withoutClose }) => withoutClose),
    0,
  )
  expectEqual(
    'downloads that were cut off',
    sum(({ cutDownloads }) => cutDownloads),
    0,
  )
  expectEqual('exit codes other than 0', stops.filter(({ exitCode }) => exitCode !== 0).length, 0)

  const stuck = await testShutdown({ drainSeconds: 0, requests: 2, downloads: 0, isStuck: true, stopSeconds: 2 })
  expectEqual('the exit code despite requests that never end', stuck.exitCode ?? -1, 0)
  report('it ended after', `${stuck.seconds.toFixed(1)} s, with STOP_SECONDS=2`)
})
