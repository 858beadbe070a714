import { z } from 'zod'

import type { Call } from '../../../src/contract/call.ts'

/** Numbers from 0 to 1, the same ones for the same seed. */
export type Chance = () => number
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const oneOf = <T>(chance: Chance, values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T

/** A piece of JSON text: it may say what no value of JavaScript does. */
type Text = string

const MEGABYTE = 1024 * 1024
/** Values as JSON text, each of which has broken some program. */
const ODD: readonly Text[] = [
  'null',
  'true',
  'false',
  '""',
  '" "',
  '0',
  '-0',
  '-1',
  '1.5',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '1e308',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"accessLevel":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1}',
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  String.raw`"\udfff\ud800"`,
  '"\u{1F3EB}"',
  '"é́́́"',
  '"\u202E\u200D"',
  String.raw`"\r\nX-Injected: 1"`,
  '"=1+1"',
  `"';--"`,
  `"' or 1=1"`,
  '"<script>alert(1)</script>"',
  '"${7*7}"',
  '"../../etc/passwd"',
  '"%s%n%x"',
  '"%"',
  '"("',
  '"a@b.example"',
  '"x@x"',
  '"2026-02-30"',
  '"2026-11-20"',
  '"0000-00-00"',
  '"9999-12-31"',
  '"7:00AM"',
  '"25:00"',
  '"95240"',
  '"209-555-0142"',
  '"https://a.example"',
  '"javascript:alert(1)"',
  '"00000000-0000-0000-0000-000000000000"',
  '"NaN"',
  '"Infinity"',
]

const rare = (chance: Chance): Text => {
  const kind = Math.floor(chance() * 6)
  if (kind === 0) return `"${'x'.repeat(MEGABYTE - 2000)}"`
  if (kind === 1) return `"${'x'.repeat(MEGABYTE + 2000)}"`
  if (kind === 2) return '['.repeat(10_000) + ']'.repeat(10_000)
  if (kind === 3) return '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
  if (kind === 4) return `[${Array.from({ length: 100_000 }, () => '0').join(',')}]`
  return `{${Array.from({ length: 20_000 }, (_none, at) => `"f${at}":0`).join(',')}}`
}

/** What a generator may take real values from: ids and slugs of records that are there. */
export interface Pool {
  readonly ids: readonly string[]
}

const oddText = (chance: Chance, { ids }: Pool): Text => {
  const kind = chance()
  if (kind < 0.002) return rare(chance)
  if (kind < 0.3) return JSON.stringify(oneOf(chance, ids))
  if (kind < 0.4) return JSON.stringify('x'.repeat(Math.floor(chance() * 400)))
  if (kind < 0.45) return JSON.stringify(String.fromCharCode(...Array.from({ length: 12 }, () => Math.floor(chance() * 65_536))))
  if (kind < 0.5) return String((chance() - 0.5) * 10 ** Math.floor(chance() * 20))
  return oneOf(chance, ODD)
}

const unwrapped = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return unwrapped(schema.def.in as z.ZodType)
  return schema
}

/** A value a schema might take: right where `chance` has it so, odd elsewhere. */
const textOf = (chance: Chance, given: z.ZodType, pool: Pool, depth = 0): Text => {
  const schema = unwrapped(given)
  if (chance() < 0.35 || depth > 6) return oddText(chance, pool)
  if (schema instanceof z.ZodObject) return objectText(chance, schema, pool, depth)
  if (schema instanceof z.ZodArray)
    return `[${Array.from({ length: Math.floor(chance() * 4) }, () => textOf(chance, schema.element as z.ZodType, pool, depth + 1)).join(',')}]`
  if (schema instanceof z.ZodUnion) return textOf(chance, oneOf(chance, schema.options) as z.ZodType, pool, depth + 1)
  if (schema instanceof z.ZodEnum) return JSON.stringify(oneOf(chance, schema.options))
  if (schema instanceof z.ZodBoolean) return oneOf(chance, ['true', 'false'])
  if (schema instanceof z.ZodNumber) return oneOf(chance, ['1', '5', '10', '30', '-1', '2147483648', '0.5'])
  if (schema instanceof z.ZodString)
    return oneOf(chance, [
      '"Lodi"',
      '"Ana Ruiz"',
      '"95240"',
      '"209-555-0142"',
      '"a@b.example"',
      '"https://a.example"',
      '"2026-11-20"',
      '"9:00AM"',
      JSON.stringify(oneOf(chance, pool.ids)),
    ])
  return oddText(chance, pool)
}

const objectText = (chance: Chance, schema: z.ZodObject, pool: Pool, depth: number): Text => {
  const fields = Object.entries(schema.shape).filter(() => chance() < 0.6)
  const parts = fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(chance, field as z.ZodType, pool, depth + 1)}`)
  if (parts.length > 0 && chance() < 0.05) parts.push(oneOf(chance, parts))
  if (chance() < 0.05)
    parts.push(
      `${oneOf(chance, ['"__proto__"', '"constructor"', '"accessLevel"', '"version"', '"_id"', '""', String.raw`"\u0000"`])}:${oddText(chance, pool)}`,
    )
  return `{${parts.join(',')}}`
}

const IN_PATHS = [
  'x',
  '%FF',
  '%00',
  '%zz',
  '%',
  '%2f',
  '%2e%2e%2f',
  '..',
  '%C3%28',
  '%ED%A0%80',
  '-1',
  '2147483648',
  '1e400',
  'null',
  '%27%3B--',
  '%3Cscript%3E',
  '%F0%9F%8F%AB',
  'x'.repeat(300),
  'x'.repeat(4000),
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  'site',
  'me',
  'LEADERSHIP',
]
const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json;',
  'image/png',
  '*/*',
  'x',
  '',
]
const VERSIONS = [
  '"1"',
  '"2"',
  '1',
  '"-1"',
  '"1.5"',
  '"1e400"',
  '"2147483648"',
  '"99999999999999999999"',
  '*',
  'W/"1"',
  '',
  'x',
  '"',
  '"\\u0000"',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const ODD_HEADERS: readonly Record<string, string>[] = [
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

/** One generated request. */
export interface Generated {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

const queryOf = (chance: Chance, { query }: Call, pool: Pool): string => {
  if (query === undefined ? chance() < 0.95 : chance() < 0.15) return ''
  const names = [
    ...Object.keys(query?.shape ?? {}).filter(() => chance() < 0.7),
    ...(chance() < 0.1 ? [oneOf(chance, ['x', '__proto__', '', '%FF', 'q[]', 'q[a]'])] : []),
  ]
  const valueOf = (): string => {
    const kind = chance()
    if (kind < 0.3) return oneOf(chance, IN_PATHS)
    if (kind < 0.6)
      return encodeURIComponent(
        oneOf(chance, ['lodi', 'ana ruiz', '209 555', 'closed', 'person', '30', '1', '(', '%', '"', 'a'.repeat(200)]),
      )
    return encodeURIComponent(oddText(chance, pool).slice(0, 500).toWellFormed())
  }
  return `?${names
    .flatMap((name) => (chance() < 0.05 ? [name, name] : [name]))
    .map((name) => `${name}=${valueOf()}`)
    .join('&')}`
}

/** A request at one of the calls, off the right way in some places. */
export const generate = (chance: Chance, call: Call, pool: Pool): Generated => {
  const path =
    call.path.replace(/:\w+/g, () => (chance() < 0.6 ? encodeURIComponent(oneOf(chance, pool.ids)) : oneOf(chance, IN_PATHS))) +
    (chance() < 0.02 ? oneOf(chance, ['/', '//', '/..', '%FF', ';x', '%00']) : '')
  const method = chance() < 0.95 ? call.method : oneOf(chance, METHODS)
  const takesBody = call.body !== undefined || call.upload !== undefined
  const isSent = takesBody ? chance() < 0.97 : chance() < 0.03
  let body: string | undefined
  if (isSent) {
    body =
      call.body && chance() < 0.9
        ? unwrapped(call.body) instanceof z.ZodObject && chance() < 0.9
          ? objectText(chance, unwrapped(call.body) as z.ZodObject, pool, 0)
          : textOf(chance, call.body, pool)
        : oddText(chance, pool)
    if (chance() < 0.03) body = body.slice(0, Math.floor(chance() * body.length))
  }
  const type = chance() < 0.94 ? 'application/json' : oneOf(chance, TYPES)
  return {
    method,
    path: path + queryOf(chance, call, pool),
    headers: {
      ...(body === undefined || type === '' ? {} : { 'content-type': type }),
      ...(chance() < 0.25 ? { 'if-match': oneOf(chance, VERSIONS) } : {}),
      ...(chance() < 0.1 ? oneOf(chance, ODD_HEADERS) : {}),
    },
    body,
  }
}
