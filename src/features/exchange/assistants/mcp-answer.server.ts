import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import packageJson from '../../../../package.json' with { type: 'json' }
import { notFound, Problem } from '../../../contract/problem.ts'
import { getMcpUrl } from './queries.server.ts'
import { type AssistantCaller, NOTICE, toAnswerSchema, type Toolbox, toToolError, toToolResult } from './tools.server.ts'

/** The error code of the protocol for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32002

const INSTRUCTIONS = `Homeroom is the staff directory of a network of charter schools. Its tools answer with the records that the person you work for may read. ${NOTICE} Give the person the url of what you quote. If something is not found, say so; do not guess. To correct a mistake, use suggest_change after the person has agreed: someone then decides on it.`

const decodeKey = (key: string): string => {
  try {
    return decodeURIComponent(key)
  } catch {
    throw notFound('Page')
  }
}

/** A defect ends the whole request, so that it gets to the error log and its message to no one: the SDK would send it. */
const createServer = (caller: AssistantCaller, { tools, resources }: Toolbox, defects: unknown[]): McpServer => {
  const attempt = async <T>(run: () => Promise<T>, refuse: (problem: Problem) => T): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof Problem) return refuse(error)
      defects.push(error)
      throw error
    }
  }
  const server = new McpServer(
    { name: 'homeroom', title: 'Homeroom', version: packageJson.version, websiteUrl: caller.context.configuration.publicUrl },
    { instructions: INSTRUCTIONS },
  )
  for (const { name, title, description, scope, input, item, run } of tools) {
    const isRead = scope === 'look_up'
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: z.strictObject(input),
        outputSchema: toAnswerSchema(item),
        annotations: { title, readOnlyHint: isRead, destructiveHint: false, idempotentHint: isRead, openWorldHint: false },
      },
      async (given: unknown): Promise<CallToolResult> =>
        attempt<CallToolResult>(async () => toToolResult(await run(caller, given as never)), toToolError),
    )
  }
  for (const { name, title, template, read, complete } of resources)
    server.registerResource(
      name,
      new ResourceTemplate(template, {
        list: undefined,
        complete: {
          key: async (text) =>
            attempt(
              async () => [...(await complete(caller, text))],
              () => [],
            ),
        },
      }),
      { title, mimeType: 'text/plain' },
      async (uri, { key }) => {
        const { content } = await attempt(
          async () => toToolResult(await read(caller, decodeKey(String(key)))),
          ({ status, message }) => {
            throw new McpError(status === 404 ? RESOURCE_NOT_FOUND : ErrorCode.InvalidRequest, message, { uri: uri.href })
          },
        )
        return { contents: content.map(({ text }) => ({ uri: uri.href, mimeType: 'text/plain', text })) }
      },
    )
  return server
}

/** Answers one request, with a server and a transport of its own. */
export const answer = async (
  caller: AssistantCaller,
  toolbox: Toolbox,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const defects: unknown[] = []
  const server = createServer(caller, toolbox, defects)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
    )
    const asked = new Request(getMcpUrl(caller.context.configuration), { method: 'POST', headers })
    const response = await transport.handleRequest(asked, { parsedBody: request.body })
    if (defects.length > 0) throw defects[0]
    const type = response.headers.get('content-type')
    if (type !== null) void reply.type(type)
    return await reply.code(response.status).send(await response.text())
  } finally {
    await server.close()
  }
}
