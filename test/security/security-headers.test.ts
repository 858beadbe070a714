import { expect, test } from 'vitest'

import { downloads } from '../../src/features/exchange/exports/contract.ts'
import { listPeople, readVcard } from '../../src/features/records/people/contract.ts'
import { readSite, updateSite } from '../../src/features/records/sites/contract.ts'
import { addressOf, network, startApp } from '../support/app.ts'

const PROTECTING = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** One response of every kind: lists, records, empty, files, errors, redirects, pages. */
const everyKind = async () => {
  const { as, anonymous, site, principal } = await network()
  const me = as(1)
  return {
    list: await me.request('GET', listPeople.path),
    record: await me.request('GET', addressOf(readSite, { slug: site.slug })),
    edit: await me.trySend(updateSite, { params: { id: site._id }, body: { address: { city: 'Lodi' } } }),
    workbook: await me.request('GET', downloads.finance.path),
    contact: await me.request('GET', addressOf(readVcard, { slug: principal.slug })),
    photo: await me.request('GET', '/api/profile-photo/me'),
    'the description': await me.request('GET', '/docs'),
    nothing: await me.request('POST', '/log-error', { payload: { errorMessage: 'x' } }),
    'no session': await anonymous.request('GET', listPeople.path),
    'no such call': await me.request('GET', '/api/nothing'),
    'wrong method': await me.request('DELETE', listPeople.path),
    'broken JSON': await me.request('POST', '/log-error', { payload: '{', headers: { 'content-type': 'application/json' } }),
    'a redirect': await anonymous.request('GET', '/auth/logout'),
    health: await anonymous.request('GET', '/healthz'),
  }
}

test('every kind of answer has every header that protects', async () => {
  for (const [kind, { headers, body }] of Object.entries(await everyKind())) {
    expect(headers, kind).toMatchObject(PROTECTING)
    expect(headers['content-security-policy'], kind).toContain("default-src 'none'")
    expect(headers['content-security-policy'], kind).toContain("frame-ancestors 'none'")
    const type = String(headers['content-type'])
    expect(body === '' || /^(application|text|image)\//.test(type), `${kind}: ${type}`).toBe(true)
    expect(!/^(text\/|application\/json)/.test(type) || /charset=utf-8/i.test(type), `${kind}: ${type}`).toBe(true)
    expect(headers, kind).not.toHaveProperty('x-powered-by')
  }
})

test('no answer lets another origin read it', async () => {
  const { as } = await network()
  for (const method of ['GET', 'DELETE'] as const) {
    const { headers } = await as(1).request(method, listPeople.path, { headers: { origin: 'https://elsewhere.example' } })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('every answer over https sets HSTS for a year, subdomains included', async () => {
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
