import { readdirSync } from 'node:fs'

import type { SendRequest } from '../../support/http-requests.ts'
import { signInAt } from '../../support/sessions.ts'
import { createPictureForm } from '../access/valid-requests.ts'
import { Attempts } from '../attempts.ts'
import type { Target } from './attacks.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Headers required in every response. */
const REQUIRED_HEADERS: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /^default-src 'none';.*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'x-dns-prefetch-control': /^off$/,
  'x-permitted-cross-domain-policies': /^none$/,
}

const findHeaderErrors = (headers: Headers, isSecure: boolean): string[] => [
  ...Object.entries(REQUIRED_HEADERS).flatMap(([name, pattern]) =>
    pattern.test(String(headers[name])) ? [] : [`${name}: ${String(headers[name])}`],
  ),
  ...(/unsafe-|\*|https?:(?!\/\/)/.test(String(headers['content-security-policy'])) ? ['a policy that lets too much through'] : []),
  ...(/max-age=\d{7,}/.test(String(headers['strict-transport-security'])) === isSecure ? [] : ['strict-transport-security']),
  ...['server', 'x-powered-by'].filter((name) => headers[name] !== undefined),
  ...Object.keys(headers).filter((name) => name.startsWith('access-control-')),
  ...findTypeErrors(headers),
]

/** A response without a body has no type. */
const findTypeErrors = ({ 'content-type': type }: Headers): string[] => {
  if (type === undefined) return []
  const isKnown = /^(application|text|image)\//.test(String(type))
  const hasCharset = !/^(text\/|application\/json)/.test(String(type)) || /charset=utf-8/i.test(String(type))
  return isKnown && hasCharset ? [] : [`content-type: ${String(type)}`]
}

/** Missing headers in each kind of response; the status is checked, so that each really is of its kind. */
export const checkResponseHeaders = async ({ context, make, url }: Target, send: SendRequest): Promise<Attempts> => {
  const attempts = new Attempts()
  const isSecure = context.configuration.publicUrl.startsWith('https:')
  const note = async (what: string, wanted: number, method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const answer = await send(method, path, { headers, body })
    attempts.add(answer.status === wanted, `${what}: ${answer.status} in place of ${wanted}`)
    attempts.wrong.push(...findHeaderErrors(answer.headers, isSecure).map((lack) => `${what} (${answer.status}): ${lack}`))
    return answer
  }
  const [one, ten] = [await signInAt(context, 1), await signInAt(context, 10)]
  const site = await make.site()
  const person = await make.person()
  for (let sites = 0; sites < 12; sites++) await make.site()
  const [packed, me] = [{ 'accept-encoding': 'br' }, one.headers]
  const tagOf = async (path: string): Promise<Record<string, string>> => ({
    ...me,
    'if-none-match': String((await send('GET', path, { headers: me })).headers['etag']),
  })

  const list = '/locations-api/sites_pop'
  const single = `/locations-api/siteslugprograms/${site.slug}`
  await note('a list kept ready, made now', 200, 'GET', list, me)
  await note('a list kept ready', 200, 'GET', list, me)
  await note('a list as brotli', 200, 'GET', list, { ...me, ...packed })
  await note('a list, its head', 200, 'HEAD', list, me)
  await note('a list, unchanged', 304, 'GET', list, await tagOf(list))
  await note('a record', 200, 'GET', single, me)
  await note('a record, unchanged', 304, 'GET', single, await tagOf(single))
  await note('a saved record', 200, 'PATCH', `/locations-api/sites/${site._id}`, me, { finance_id: '1' })
  await note('nothing (204)', 204, 'POST', '/log-error', me, { errorMessage: 'x' })
  await note('a redirect', 302, 'GET', '/auth/logout')
  await note('a sign-in begun', 302, 'GET', '/auth/azure')
  if (context.configuration.publicUrl === url)
    await note('another name of this machine', 307, 'GET', '/regions', { host: `localhost:${new URL(url).port}` })
  await note('a broken body', 400, 'POST', '/log-error', { ...me, 'content-type': 'application/json' }, '{')
  await note('a broken address', 400, 'GET', '/api/%zz')
  await note('nobody', 401, 'GET', list)
  await note('a level too low', 403, 'GET', '/api/accounts', ten.headers)
  await note('no such record', 404, 'GET', '/locations-api/brand/nobody', me)
  await note('no such call', 404, 'GET', '/api/nothing')
  await note('a wrong method', 405, 'DELETE', '/locations-api/brand', me)
  await note('an OPTIONS', 405, 'OPTIONS', '/locations-api/brand', me)
  await note('a taken name', 409, 'POST', '/locations-api/people', me, { name: person.name, email: person.email })
  await note('a stale edit', 412, 'PATCH', `/locations-api/sites/${site._id}`, { ...me, 'if-match': '"1"' }, { finance_id: '2' })
  await note('too large', 413, 'POST', '/log-error', me, { errorMessage: 'x'.repeat(1_100_000) })
  await note('a wrong type', 415, 'POST', '/log-error', { 'content-type': 'text/plain' }, 'x')
  await note('headers too large', 431, 'GET', '/', { 'x-long': 'x'.repeat(40_000) })
  await note('no method of HTTP', 400, 'GARBAGE', '/')
  await note('a bad field', 422, 'POST', '/locations-api/addbrand', me, { level: 1 })
  for (let nth = 0; nth < 21; nth++) await send('POST', '/locations-api/is_support', { body: {} })
  await note('too many', 429, 'POST', '/locations-api/is_support', {}, {})
  const { body } = await note('a picture taken', 200, 'POST', '/api/pictures', me, await createPictureForm())
  const picture = (JSON.parse(body) as { url: string }).url
  await note('a picture', 200, 'GET', picture, me)
  await note('a picture, unchanged', 304, 'GET', picture, await tagOf(picture))
  await note('the drawing in place of a photo', 200, 'GET', `/api/profile-photo/${person._id}`, me)
  await note('a contact', 200, 'GET', `/api/people/${person.slug}/vcard`, me)
  await note('a workbook', 200, 'GET', '/api/exports/excel/facilities', me)
  await note('a list as CSV', 200, 'POST', '/api/exports/list', me, { list: 'sites', format: 'csv' })
  await note('the API as a page', 200, 'GET', '/docs', me)
  await note('the API’s description', 200, 'GET', '/openapi.json', me)
  await note('is it alive', 200, 'GET', '/healthz')
  await note('is it ready', 200, 'GET', '/readyz')
  const [metricsToken] = context.configuration.metricsTokens
  if (metricsToken !== undefined) await note('metrics', 200, 'GET', '/metrics', { authorization: `Bearer ${metricsToken}` })
  if (context.configuration.oidc === undefined) {
    await note('the local provider', 200, 'GET', '/local-provider/.well-known/openid-configuration', { origin: 'https://evil.example' })
    await note('the local provider’s keys', 200, 'GET', '/local-provider/jwks', { origin: 'https://evil.example' })
    await note('the local provider, refusing', 400, 'GET', '/local-provider/auth?client_id=x')
    await note('the local provider’s form, over', 400, 'GET', '/local-provider/sign-in/x')
    await note('the local provider, under another name', 403, 'GET', '/local-provider/jwks', { host: 'evil.example' })
  }
  if (context.configuration.serve.has('web')) {
    await note('a page', 200, 'GET', '/regions', { accept: 'text/html' })
    await note('a page, its head', 200, 'HEAD', '/', { accept: 'text/html' })
    await note('a page that is posted to', 405, 'POST', '/regions', { accept: 'text/html' })
    const [asset = ''] = readdirSync(new URL('../../../dist/assets/', import.meta.url)).filter((name) => name.endsWith('.js'))
    const { headers } = await note('a file of the web app', 200, 'GET', `/assets/${asset}`, packed)
    await note('a file, unchanged', 304, 'GET', `/assets/${asset}`, { ...packed, 'if-none-match': String(headers['etag']) })
    await note('a piece of a file', 206, 'GET', `/assets/${asset}`, { range: 'bytes=0-10' })
    await note('a piece that is not there', 416, 'GET', `/assets/${asset}`, { range: 'bytes=99999999-' })
    await note('no such file', 404, 'GET', '/assets/nothing.js')
    await note('a file outside', 404, 'GET', '/assets/..%2f..%2fpackage.json')
    await note('the icon', 200, 'GET', '/icon.svg')
    await note('the manifest', 200, 'GET', '/manifest.webmanifest')
    await note('the service worker', 200, 'GET', '/service-worker.js')
  }
  // A defect: the database lacks a table that the call reads.
  await context.pool.query('alter table search_miss rename to search_miss_away')
  await note('a defect', 500, 'GET', '/api/search/misses', me).finally(() =>
    context.pool.query('alter table search_miss_away rename to search_miss'),
  )
  return attempts
}
