import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { letIn } from '../support/assistants.ts'
import { startListeningApp } from '../support/listening-app.ts'

const run = promisify(execFile)
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** The scenarios that need no tools, records or prompts of a sample server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list']

/** The suite sends no token, so this adds one. */
const openWithToken = async (target: string, token: string) => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { host: _host, origin: _origin, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const sent = { ...(headers as Record<string, string>), authorization: `Bearer ${token}` }
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const given = await fetch(target, { method: request.method ?? 'GET', headers: sent, ...body })
    response.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? 'text/plain' })
    response.end(await given.text())
  }
  const proxy = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`, close: () => proxy.close() }
}

test.runIf(process.env['TEST_ALL'] === '1')('passes the official conformance suite', { timeout: 300_000 }, async () => {
  const server = await startListeningApp({ MCP: 'on' })
  const { tokens } = await letIn(server, server.as(6))
  const { url, close } = await openWithToken(`${server.context.configuration.publicUrl}/mcp`, tokens.access_token)
  try {
    for (const scenario of SCENARIOS) {
      const { stdout } = await run(process.execPath, [CONFORMANCE, 'server', '--url', url, '--scenario', scenario])
      expect(stdout, scenario).toMatch(/passed/i)
      expect(stdout, scenario).not.toMatch(/[1-9]\d* failed/i)
    }
  } finally {
    close()
  }
})
