import { expect, test } from 'vitest'

import { listPeople } from '../../src/records/people/contract.ts'
import { network, startApp } from '../support/app.ts'

// The other headers are checked on every kind of response in test/security/forgery.test.ts.

test('no response lets another origin read it', async () => {
  const { as } = await network()
  for (const method of ['GET', 'DELETE'] as const) {
    const { headers } = await as(1).request(method, listPeople.path, { headers: { origin: 'https://elsewhere.example' } })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('every response over https sets HSTS for a year, subdomains included', async () => {
  const { anonymous } = await startApp({
    PUBLIC_URL: 'https://homeroom.network.test',
    OIDC_ISSUER: 'https://login.network.test',
    OIDC_CLIENT_ID: 'homeroom',
    OIDC_CLIENT_SECRET: 'q7Rw.2Zk~Lm9Xv4T',
    OIDC_TENANT: 'ours',
    SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
  })
  for (const path of ['/healthz', listPeople.path, '/api/nothing', '/auth/logout']) {
    const { headers } = await anonymous.request('GET', path)
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000; includeSubDomains')
  }
})
