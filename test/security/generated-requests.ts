import fc from 'fast-check'
import { z } from 'zod'

import { calls } from '../../src/app/routes.server.ts'
import type { Call } from '../../src/contract/call.ts'
import { unwrapSchema } from '../support/schema-fields.ts'

/** Bodies are JSON text, which can contain more than JavaScript values: oversized numbers, duplicate names, unpaired surrogates. */
type JsonText = string

const MEGABYTE = 1024 * 1024
const UNUSUAL_JSON: readonly JsonText[] = [
  ...'null true false "" 0 -0 -1 1.5 2147483647 2147483648 -2147483649 9007199254740993 1e400 -1e400 1e-400 1e308 [] {} [null] [[]]'.split(
    ' ',
  ),
  ...'"%s%n%x" "%" "(" "a@b.example" "x@x" "2026-02-30" "2026-11-20" "0000-00-00" "9999-12-31" "7:00AM" "25:00" "95240"'.split(' '),
  ...'"209-555-0142" "https://a.example" "javascript:alert(1)" "00000000-0000-0000-0000-000000000000" "NaN" "Infinity"'.split(' '),
  '{"__proto__":{"accessLevel":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1}',
  '"\u{1F3EB}"',
  '"é́́́"',
  '"\u202E\u200D"',
  ...['u0000', 'u0061\\u0000b', 'ud800', 'udfff\\ud800', 'r\\nX-Injected: 1'].map((escape) => `"\\${escape}"`),
  '" "',
  '"=1+1"',
  `"';--"`,
  `"' or 1=1"`,
  '"<script>alert(1)</script>"',
  '"${7*7}"',
  '"../../etc/passwd"',
]
/** Too large, too deep, too many. */
const HUGE_JSON: readonly JsonText[] = [
  `"${'x'.repeat(MEGABYTE - 2000)}"`,
  `"${'x'.repeat(MEGABYTE + 2000)}"`,
  '['.repeat(10_000) + ']'.repeat(10_000),
  '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  `[${'0,'.repeat(99_999)}0]`,
  `{${Array.from({ length: 20_000 }, (_, n) => `"f${n}":0`).join(',')}}`,
]
const PLAIN_TEXTS = ['Lodi', 'Ana Ruiz', '95240', '209-555-0142', 'a@b.example', 'https://a.example', '2026-11-20', '9:00AM']
const PATH_PARTS = [
  ...'x %FF %00 %zz % %2f %2e%2e%2f .. %C3%28 %ED%A0%80 -1 2147483648 1e400 null %27%3B-- %3Cscript%3E %F0%9F%8F%AB __proto__'.split(' '),
  ...'constructor 00000000-0000-0000-0000-000000000000 site me LEADERSHIP'.split(' '),
  'x'.repeat(300),
  'x'.repeat(4000),
]
const QUERY_TEXTS = ['lodi', 'ana ruiz', '209 555', 'closed', 'person', '30', '1', '(', '%', '"', 'a'.repeat(200)]
const CONTENT_TYPES =
  'text/plain|application/xml|application/x-www-form-urlencoded|multipart/form-data; boundary=b|multipart/form-data|application/json; charset=utf-16|application/json;|image/png|*/*|x|'.split(
    '|',
  )
const VERSIONS = '"1" "2" 1 "-1" "1.5" "1e400" "2147483648" "99999999999999999999" * W/"1" x " "\\u0000"'.split(' ').concat('')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const UNUSUAL_HEADERS: readonly Record<string, string>[] = [
  { 'accept-encoding': 'br;q=0, gzip;q=0.0, *;q=1e400' },
  { 'accept-encoding': 'x'.repeat(2000) },
  { 'if-none-match': '*' },
  { 'if-none-match': '"x", W/"y", ,,' },
  { range: 'bytes=0-99999999999999999999' },
  { 'x-request-id': "'; drop table site; --" },
  { 'accept-language': '%s%n' },
  { accept: 'text/html' },
  { 'user-agent': 'x'.repeat(4000) },
  { expect: '100-continue' },
  { 'content-encoding': 'gzip' },
  { cookie: 'a=b; =; ;;; __proto__=1' },
  { 'x-forwarded-for': '1, 2, 3' },
  { referer: '%FF' },
]

export interface GeneratedRequest {
  readonly call: Call
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** The first arbitrary in `percent` of the cases, otherwise the second. */
const mostly = <A, B>(percent: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: percent, arbitrary: usual }, { weight: 100 - percent, arbitrary: other })
const NONE = fc.constant(undefined)

/** Generators of JSON; `ids` are ids and slugs of existing records. */
export const arbitraryJson = (ids: readonly string[], huge: readonly JsonText[] = HUGE_JSON) => {
  const id = fc.constantFrom(...ids)
  const unusualJson: fc.Arbitrary<JsonText> = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...huge) },
    { weight: 300, arbitrary: id.map((text) => JSON.stringify(text)) },
    { weight: 100, arbitrary: fc.string({ maxLength: 400 }).map((text) => JSON.stringify(text)) },
    { weight: 50, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)) },
    { weight: 50, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
    { weight: 500, arbitrary: fc.constantFrom(...UNUSUAL_JSON) },
  )

  const typedJson = (schema: z.ZodType): fc.Arbitrary<JsonText> => {
    if (schema instanceof z.ZodObject) return objectJson(schema)
    if (schema instanceof z.ZodArray)
      return fc.array(anyJson(schema.element as z.ZodType), { maxLength: 3 }).map((entries) => `[${entries.join(',')}]`)
    if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((option) => anyJson(option as z.ZodType)))
    if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options.map((option) => JSON.stringify(option)))
    if (schema instanceof z.ZodBoolean) return fc.constantFrom('true', 'false')
    if (schema instanceof z.ZodNumber) return fc.constantFrom('1', '5', '10', '30', '-1', '2147483648', '0.5')
    if (schema instanceof z.ZodString) return mostly(90, fc.constantFrom(...PLAIN_TEXTS), id).map((text) => JSON.stringify(text))
    return unusualJson
  }
  const anyJson = (schema: z.ZodType): fc.Arbitrary<JsonText> => mostly(65, typedJson(unwrapSchema(schema)), unusualJson)
  const UNKNOWN_NAMES = ['"__proto__"', '"constructor"', '"accessLevel"', '"version"', '"_id"', '""', String.raw`"\u0000"`]
  const unknownField = fc.tuple(fc.constantFrom(...UNKNOWN_NAMES), unusualJson).map((field) => field.join(':'))
  const objectJson = ({ shape }: z.ZodObject): fc.Arbitrary<JsonText> => {
    const fields = Object.entries(shape).map(([name, field]) =>
      mostly(
        60,
        anyJson(field as z.ZodType).map((value) => `${JSON.stringify(name)}:${value}`),
        NONE,
      ),
    )
    return fc.tuple(fc.tuple(...fields), mostly(5, unknownField, NONE), mostly(5, fc.nat(), NONE)).map(([known, unknown, repeated]) => {
      const sent = [...known, unknown].filter((field) => field !== undefined)
      return `{${[...sent, ...(repeated === undefined ? [] : sent.slice(repeated % (sent.length + 1)).slice(0, 1))].join(',')}}`
    })
  }

  /** Bodies that fit a schema in most places. */
  const bodyJson = (schema: z.ZodType): fc.Arbitrary<JsonText> =>
    mostly(90, mostly(80, typedJson(unwrapSchema(schema)), anyJson(schema)), unusualJson)
  return { id, unusualJson, bodyJson }
}

/** Requests to all calls, invalid in some places. */
const arbitraryRequest = (ids: readonly string[]): fc.Arbitrary<GeneratedRequest> => {
  const { id, unusualJson, bodyJson } = arbitraryJson(ids)
  const queryValue = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PATH_PARTS) },
    { weight: 3, arbitrary: fc.constantFrom(...QUERY_TEXTS).map(encodeURIComponent) },
    { weight: 4, arbitrary: unusualJson.map((text) => encodeURIComponent(text.slice(0, 500).toWellFormed())) },
  )
  const queryOf = (call: Call): fc.Arbitrary<string> => {
    const known = fc.subarray(Object.keys(call.query?.shape ?? {}))
    const extra = mostly(20, fc.constantFrom('x', '__proto__', '', '%FF', 'q[]', 'q[a]'), NONE)
    const query = fc.tuple(known, extra, mostly(5, fc.constant(2), fc.constant(1))).chain(([names, name, times]) => {
      const sent = [...names, ...(name === undefined ? [] : [name])].flatMap((one) => Array.from({ length: times }, () => one))
      return fc.tuple(...sent.map((one) => queryValue.map((value) => `${one}=${value}`))).map((pairs) => `?${pairs.join('&')}`)
    })
    return mostly(call.query ? 85 : 5, query, fc.constant(''))
  }

  const requestTo = (call: Call): fc.Arbitrary<GeneratedRequest> => {
    const parts = call.path.split(/:\w+/)
    const params = fc.tuple(...parts.slice(1).map(() => mostly(60, id.map(encodeURIComponent), fc.constantFrom(...PATH_PARTS))))
    const body = call.body ? bodyJson(call.body) : unusualJson
    return fc
      .record({
        params,
        end: mostly(98, fc.constant(''), fc.constantFrom('/', '//', '/..', '%FF', ';x', '%00')),
        query: queryOf(call),
        method: mostly(95, fc.constant<string>(call.method), fc.constantFrom(...METHODS)),
        body: mostly(call.body || call.upload ? 97 : 3, body, NONE),
        cut: mostly(3, fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)),
        type: mostly(94, fc.constant('application/json'), fc.constantFrom(...CONTENT_TYPES)),
        version: mostly(
          25,
          fc.constantFrom(...VERSIONS).map((version) => ({ 'if-match': version })),
          fc.constant({}),
        ),
        headers: mostly(10, fc.constantFrom(...UNUSUAL_HEADERS), fc.constant({})),
      })
      .map(({ params: values, end, query, method, body: whole, cut, type, version, headers }) => ({
        call,
        method,
        path: parts.map((part, n) => part + (values[n] ?? '')).join('') + end + query,
        headers: { ...(whole === undefined || type === '' ? {} : { 'content-type': type }), ...version, ...headers },
        body: whole?.slice(0, Math.ceil(cut * whole.length)),
      }))
  }
  return fc.oneof(...calls.map(requestTo))
}

const BATCH = 500

/** Generates requests lazily; the same ones for the same seed. */
export const generateRequests = function* (ids: readonly string[], seed: number): Generator<GeneratedRequest> {
  const request = arbitraryRequest(ids)
  for (let batch = 0; ; batch++) yield* fc.sample(request, { numRuns: BATCH, seed: seed + batch })
}
