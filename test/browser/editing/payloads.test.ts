import { PAYLOADS } from '../../security/payloads/payloads.ts'
import { showPayloads, storePayloads } from '../../security/payloads/run.ts'
import { startServer } from '../../support/server.ts'
import { expect, test } from '../fixtures.ts'

// The quick form of `npm run prove:payloads`: a few payloads, on the pages that show most of them.

const ROUTES = ['/location/$slug', '/location/fac/$slug', '/charter_affair/$id', '/brandview/$id', '/staff/$slug', '/requests', '/errors', '/locations', '/login'] // prettier-ignore
const KINDS = ['script tag', 'out of an attribute, into a tag', 'out of a script', 'out of a textarea', 'svg onload']

test('scripts in field values are shown as text on the pages of their records', { tag: '@all' }, async ({ browser }) => {
  test.setTimeout(300_000)
  const server = await startServer()
  try {
    const { sets, stored } = await storePayloads(
      server,
      PAYLOADS.filter(({ kind }) => KINDS.includes(kind)),
    )
    expect(stored.stored.size).toBeGreaterThan(100)
    const { seen } = await showPayloads(browser, server, sets, (route) => ROUTES.includes(route))
    expect(seen.withPayload).toBeGreaterThan(10)
    expect(seen.inInputs).toBeGreaterThan(100)
    expect(seen).toMatchObject({ broken: [], runs: [], outside: [], violations: [], errors: [], links: [] })
  } finally {
    await server.stop()
  }
})

test('the page has its own content security policy with a nonce and without unsafe sources', async ({ request }) => {
  const policies = await Promise.all(
    ['/', '/login', '/no/such/page'].map(async (path) => {
      const response = await request.get(path, { headers: { accept: 'text/html' } })
      const policy = response.headers()['content-security-policy'] ?? ''
      const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? 'none'
      expect(await response.text()).toContain(`nonce="${nonce}"`)
      expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/127)/)
      for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
        expect(policy).toContain(part)
      return nonce
    }),
  )
  expect(new Set(policies).size).toBe(3)
})
