// 200 requests a second for ten minutes, 90 % of them reads, on 1,000 sites and 10,000 people: nothing fails, and memory stops growing after two
// minutes. `--minutes N` for a shorter run.
import { startBaselineServer } from '../support/baseline-server.ts'
import { startNetwork } from '../support/large-network.ts'
import { createMixedRequests, MIXED_RATE, type RateAnswer, sendAtRate } from '../support/mixed-load.ts'
import { getPercentile } from '../support/percentile.ts'
import { readNumberOptions, runProof } from '../support/proof.ts'

const BARE_SECONDS = 60
const SETTLED_MINUTES = 2
const { minutes } = readNumberOptions({ minutes: 10 })

await runProof('load', async ({ log, report, expectEqual, expectAtMost }) => {
  await using network = await startNetwork(1000, 10_000, log)
  const { url } = network
  const { next, sitePath } = await createMixedRequests(network)

  const site = await fetch(`${url}${sitePath}`, { headers: network.headers })
  const bare = await startBaselineServer(Buffer.from(await site.arrayBuffer()))
  const beside = await sendAtRate(`http://127.0.0.1:${bare.port}`, BARE_SECONDS, () => ({ kind: 'bare', method: 'GET', path: '/' }))
  await bare.stop()

  let settled = 0
  const settledAt = Math.min(SETTLED_MINUTES, minutes / 2) * 60
  log(`${MIXED_RATE} requests a second for ${minutes} minutes …`)
  const answers = await sendAtRate(url, minutes * 60, (at) => {
    const second = at / MIXED_RATE
    if (second === settledAt) settled = network.memory()
    if (second > 0 && second % 60 === 0) log(`minute ${second / 60}: ${Math.round(network.memory())} MB`)
    return next(at)
  })
  const memory = network.memory()

  report('Sites, people', '1,000, 10,000')
  report('Requests a second, and minutes', `${MIXED_RATE}, ${minutes}`)
  report('Responses', answers.length)
  const errors = answers.filter(({ error }) => error !== undefined)
  for (const [what, all] of Map.groupBy(errors, ({ kind, error }) => `${kind}: ${error}`)) report(`Failed: ${what}`, all.length)
  expectEqual('Responses of 4xx or 5xx and broken connections', errors.length, 0)
  const within = (all: readonly RateAnswer[], share: number): string => {
    const times = all.map(({ ms }) => ms)
    return `${Math.round(getPercentile(times, share) * 10) / 10} ms`
  }
  for (const [kind, all] of [['All of them', answers] as const, ...Map.groupBy(answers, ({ kind }) => kind)]) {
    const [half, most, nearlyAll] = [within(all, 0.5), within(all, 0.95), within(all, 0.99)]
    report(kind, `${all.length.toLocaleString('en-US')} times; half within ${half}, 95 % within ${most}, 99 % within ${nearlyAll}`)
  }
  const bareTimes = `half within ${within(beside, 0.5)}, 95 % within ${within(beside, 0.95)}`
  report('A bare node:http server with the bytes of one site, at the same rate', bareTimes)
  report('Memory after two minutes, and at the end', `${Math.round(settled)} MB, ${Math.round(memory)} MB`)
  expectAtMost('Memory at the end, in percent of that after two minutes', Math.round((memory / settled) * 1000) / 10, 110, '%')
})
