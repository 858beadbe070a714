import { createHash, randomBytes, randomInt } from 'node:crypto'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

import { answerConsentRequest } from '../../src/features/exchange/assistants/contract.ts'
import { MCP_PATH } from '../../src/features/exchange/assistants/rules.ts'
import type { SignedInCaller, TestApp } from './app.ts'

export const REDIRECT_ADDRESS = 'https://assistant.test/callback'

interface Sent {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly headers?: Record<string, string>
  readonly form?: Record<string, string>
  readonly json?: unknown
}

/** Sends requests of a program, without a browser and its cookies. */
export const createSender = ({ app, context }: Pick<TestApp, 'app' | 'context'>) => {
  const authority = new URL(context.configuration.publicUrl).host
  // Limits are counted by address.
  const remoteAddress = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  return async (url: string, { method = 'GET', headers = {}, form, json }: Sent = {}) => {
    const content = form
      ? { 'content-type': 'application/x-www-form-urlencoded' }
      : json === undefined
        ? {}
        : { 'content-type': 'application/json' }
    const payload = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
    const response = await app.inject({
      method,
      url,
      authority,
      remoteAddress,
      headers: { ...content, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: () => response.json() as Record<string, unknown>,
      cookies: response.cookies.filter(({ value }) => value !== '').map(({ name, value }) => `${name}=${value}`),
    }
  }
}
type Sender = ReturnType<typeof createSender>

export const registerClient = async (send: Sender, metadata: object = {}): Promise<string> => {
  const answer = await send('/oauth/register', {
    method: 'POST',
    json: { client_name: 'Claude', redirect_uris: [REDIRECT_ADDRESS], ...metadata },
  })
  if (answer.status !== 201) throw new Error(`Registration answered ${answer.status}: ${answer.text}`)
  return String(answer.json()['client_id'])
}

export const createVerifier = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

interface Authorization {
  readonly client: string
  readonly challenge: string
  readonly more?: Record<string, string>
}
export const buildAuthorizeUrl = (resource: string, { client, challenge, more = {} }: Authorization): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT_ADDRESS,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'its state',
    resource,
    scope: 'look_up suggest_changes',
    ...more,
  })}`

const getPath = (address: unknown): string => {
  const { pathname, search } = new URL(String(address), 'http://localhost')
  return pathname + search
}

/** What a browser does: opens the request, answers it, and follows it to the program. Returns the address with the code or the error. */
export const answerRequest = async (server: TestApp, person: SignedInCaller, authorization: Authorization, allow = true): Promise<URL> => {
  const send = createSender(server)
  const started = await send(buildAuthorizeUrl(server.context.configuration.publicUrl + MCP_PATH, authorization))
  if (started.status !== 303) throw new Error(`The request answered ${started.status}: ${started.text}`)
  const id = String(started.headers['location']).split('/').at(-1) ?? ''
  const own = await person.headers()
  const cookie = [own['cookie'], ...started.cookies].filter(Boolean).join('; ')
  const { url } = await person.send(answerConsentRequest, { params: { id }, body: { allow }, headers: { cookie } })
  const done = await send(getPath(url), { headers: { cookie: started.cookies.join('; ') } })
  if (done.status !== 303) throw new Error(`The answer answered ${done.status}: ${done.text}`)
  return new URL(String(done.headers['location']))
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

export const exchangeCode = async (send: Sender, fields: Record<string, string>) =>
  send('/oauth/token', { method: 'POST', form: { redirect_uri: REDIRECT_ADDRESS, grant_type: 'authorization_code', ...fields } })

/** A registered program that a person has let in, with its tokens. */
export const letIn = async (server: TestApp, person: SignedInCaller, metadata: object = {}, scope?: string) => {
  const send = createSender(server)
  const client = await registerClient(send, metadata)
  const { verifier, challenge } = createVerifier()
  const answered = await answerRequest(server, person, { client, challenge, ...(scope ? { more: { scope } } : {}) })
  const code = answered.searchParams.get('code')
  if (code === null) throw new Error(`No code: ${answered.href}`)
  const response = await exchangeCode(send, { client_id: client, code, code_verifier: verifier })
  if (response.status !== 200) throw new Error(`No token: ${response.text}`)
  return { client, code, verifier, tokens: response.json() as unknown as Tokens }
}

/** The client of the SDK, on a server that is called without a network. */
export const connectClient = async (server: TestApp, token: string, options: { readonly name?: string } = {}): Promise<Client> => {
  const send = createSender(server)
  const url = new URL(server.context.configuration.publicUrl + MCP_PATH)
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (address, init = {}) => {
      const headers = Object.fromEntries(new Headers(init.headers).entries())
      const answer = await send(getPath(address), {
        method: (init.method ?? 'GET') as 'GET',
        headers,
        ...(typeof init.body === 'string' ? { json: JSON.parse(init.body) as unknown } : {}),
      })
      const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string])
      return new Response([202, 204].includes(answer.status) ? null : answer.text, { status: answer.status, headers: given })
    },
  })
  const client = new Client({ name: options.name ?? 'scripted client', version: '1.0.0' })
  await client.connect(transport)
  return client
}

interface Answer {
  readonly text: string
  readonly items: readonly Record<string, unknown>[]
  readonly total: number
  readonly next: number | string | null
  readonly isError: boolean
}

/** Calls a tool; the client checks the answer against the tool's schema. */
export const ask = async (client: Client, name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
  const { content, structuredContent, isError = false } = (await client.callTool({ name, arguments: given })) as CallToolResult
  const [first] = content
  const values = structuredContent as Pick<Answer, 'items' | 'total' | 'next'> | undefined
  return {
    text: first?.type === 'text' ? first.text : '',
    items: values?.items ?? [],
    total: values?.total ?? 0,
    next: values?.next ?? null,
    isError,
  }
}
