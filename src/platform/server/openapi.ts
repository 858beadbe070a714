import { createHash } from 'node:crypto'

import { z } from 'zod'

import { ArchivedFilter, call, callName, PastDay, takesArchived, takesDay, type Call } from '../../contract/call.ts'
import { ProblemBody } from '../../contract/problem.ts'
import { handle, type Route } from './handler.ts'
import { WORKBOOK_TYPE } from './workbook-writer.ts'

/** The page's styles, with the design's colors; inline and allowed by hash, so that the page needs no other file. */
const STYLE =
  ':root{color-scheme:light dark;--ink:light-dark(#1e1c1a,#ece9e4);--quiet:light-dark(#645f57,#aba69e);--line:light-dark(#e8e4de,#34312e);--link:light-dark(#2e4fbc,#9bb5f4);--sunken:light-dark(#f4f2ee,#2c2a27)}body{margin:0;background:light-dark(#fff,#1a1918);color:var(--ink);font:15px/22px -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}main{max-width:60rem;margin:0 auto;padding:28px 16px 64px}h1{font-size:28px;line-height:34px;letter-spacing:-.02em}h2{margin:0;font-size:15px;line-height:22px;overflow-wrap:anywhere}section{border-top:1px solid var(--line);padding:16px 0}p{margin:4px 0;color:var(--quiet);max-width:70ch}a{color:var(--link)}code,pre{font-family:ui-monospace,SFMono-Regular,Consolas,monospace;font-size:.9em}p code{color:var(--ink)}summary{cursor:pointer;color:var(--link);padding:4px 0}pre{overflow:auto;max-height:24rem;margin:4px 0 8px;padding:12px;border-radius:8px;background:var(--sunken)}:focus-visible{outline:2px solid var(--link);outline-offset:2px}'
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

const readDescription = call('GET', '/openapi.json', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'This API in the OpenAPI format.',
  response: z.looseObject({ openapi: z.string() }),
  allowCookieOnly: true,
})

const readDocs = call('GET', '/docs', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'This API as a web page.',
  response: 'page',
  allowCookieOnly: true,
})

/** The API's own description (for anyone with a session), generated from the calls. */
export const descriptionRoutes = (calls: readonly Call[]): Route[] => {
  const described = [...calls, readDescription, readDocs]
  return [
    handle(readDescription, async () => buildOpenApi(described)),
    handle(readDocs, async ({ reply }) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', `default-src 'none'; style-src '${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`)
        .send(docsPage(described)),
    ),
  ]
}

type JsonSchema = Record<string, unknown>

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return rest
}

const toParameters = (schema: z.ZodObject | undefined, where: 'path' | 'query'): JsonSchema[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: toJsonSchema(field as z.ZodType, 'input'),
  }))

const RESPONSE_TYPES = {
  redirect: undefined,
  picture: 'image/*',
  page: 'text/html',
  text: 'text/plain',
  contact: 'text/vcard',
  calendar: 'text/calendar',
  profile: 'application/x-apple-aspen-config',
  file: 'application/octet-stream',
  workbook: WORKBOOK_TYPE,
  events: 'text/event-stream',
  nothing: undefined,
} as const

const toSuccessResponse = (c: Call): JsonSchema => {
  if (typeof c.response !== 'string') {
    return { '200': { description: 'Done', content: { 'application/json': { schema: toJsonSchema(c.response, 'output') } } } }
  }
  if (c.response === 'redirect') return { '302': { description: 'Redirect' } }
  if (c.response === 'nothing') return { '204': { description: 'Done' } }
  return { '200': { description: 'Done', content: { [RESPONSE_TYPES[c.response] ?? '*/*']: {} } } }
}

/** OpenAPI 3.1, which uses the JSON Schema that zod generates. */
const buildOpenApi = (calls: readonly Call[]): { openapi: string } & JsonSchema => {
  const paths: Record<string, JsonSchema> = {}
  for (const c of calls) {
    const path = c.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [c.method.toLowerCase()]: toOperation(c) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Homeroom', version: '1', description: 'Staff directory and administration for a network of charter schools.' },
    paths,
    components: {
      schemas: { Problem: toJsonSchema(ProblemBody, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** The body of a call, by content type. */
const toBodySchema = (c: Call): { type: string; schema: JsonSchema } | undefined => {
  if (c.body) return { type: 'application/json', schema: toJsonSchema(c.body, 'input') }
  if (!c.upload) return undefined
  const { field, maxBytes, text } = c.upload
  const file = { type: 'string', format: 'binary', description: `One file of at most ${maxBytes} bytes` }
  return {
    type: 'multipart/form-data',
    schema: {
      type: 'object',
      properties: { [field]: file, ...(text === undefined ? {} : { [text]: { type: 'string' } }) },
      required: [field],
      additionalProperties: false,
    },
  }
}

const toRequestBody = (c: Call): JsonSchema => {
  const body = toBodySchema(c)
  return body ? { requestBody: { required: true, content: { [body.type]: { schema: body.schema } } } } : {}
}

/** A sentence that says who may make the call. */
const formatAccess = ({ capability, sessionOnly }: Call): string =>
  `${capability === 'no session' ? 'No sign-in required.' : `Requires permission to ${capability}.`}${sessionOnly ? ' Not available to API tokens.' : ''}`

/** The query parameters, with `on` for reads of the directory, and `archived` for its lists. */
const getQuery = (c: Call): z.ZodObject | undefined => {
  const shared = { ...(takesDay(c) ? { on: PastDay } : {}), ...(takesArchived(c) ? { archived: ArchivedFilter } : {}) }
  return Object.keys(shared).length > 0 ? (c.query ?? z.object({})).extend(shared) : c.query
}

const toOperation = (c: Call): JsonSchema => ({
  summary: c.summary,
  description: formatAccess(c),
  parameters: [...toParameters(c.params, 'path'), ...toParameters(getQuery(c), 'query')],
  ...toRequestBody(c),
  responses: {
    ...toSuccessResponse(c),
    default: { description: 'A problem', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  },
  security: c.capability === 'no session' ? [] : [{ token: [] }],
})

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const details = (title: string, schema: JsonSchema | undefined): string =>
  schema ? `<details><summary>${title}</summary><pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>` : ''

const docsPage = (calls: readonly Call[]): string => {
  const entries = calls.map((c) => {
    const inputs = [...toParameters(c.params, 'path'), ...toParameters(getQuery(c), 'query')].map(
      (p) => `<code>${escapeHtml(String(p['name']))}</code>`,
    )
    return `<section><h2><code>${escapeHtml(callName(c))}</code></h2><p>${escapeHtml(c.summary)} ${escapeHtml(formatAccess(c))}</p>${inputs.length > 0 ? `<p>Parameters: ${inputs.join(', ')}</p>` : ''}${details('Body', toBodySchema(c)?.schema)}${details(
      'Answer',
      typeof c.response === 'string' ? undefined : toJsonSchema(c.response, 'output'),
    )}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API - Homeroom</title><style>${STYLE}</style></head><body><main><h1>Homeroom API</h1><p>The same as <a href="/openapi.json">OpenAPI</a>. Every call sends a token as <code>Authorization: Bearer</code> or <code>x-auth-token</code>: programs an API token, which anyone makes on <a href="/account">My account</a>, pages the session’s with its cookie. Errors are <code>application/problem+json</code>.</p>${entries.join('')}</main></body></html>`
}
