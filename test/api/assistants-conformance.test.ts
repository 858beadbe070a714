import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { letIn } from '../support/assistants.ts'
import { startListeningApp } from '../support/listening-app.ts'

const run = promisify(execFile)
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** Scenarios of the suite that this server cannot run. All others have to pass, also those of a later version of the suite. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'calls a tool of the sample server of the suite by name': [
    'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content',
    'tools-call-with-logging', 'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation',
    'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'json-schema-2020-12',
  ],
  'reads a resource of the sample server by its address': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  'needs prompts, which the server neither has nor declares': [
    'prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image',
    // Completes an argument of a prompt; those of addresses are tested in assistants.test.ts.
    'completion-complete',
  ],
  'needs subscriptions or log messages, which the server does not declare: it sends nothing without a question': [
    'resources-subscribe', 'resources-unsubscribe', 'logging-set-level',
  ],
  'needs sessions and streams, which a server without state does not have': ['server-sse-polling', 'server-sse-multiple-streams'],
} // prettier-ignore

/** The suite sends no token, so the server adds one to each request. */
const addToken = (server: Server, token: string): void => {
  server.prependListener('request', ({ headers }) => {
    headers.authorization ??= `Bearer ${token}`
  })
}

test.runIf(process.env['TEST_ALL'] === '1')(
  'passes every scenario of the official conformance suite that needs no sample server',
  { timeout: 300_000 },
  async () => {
    const server = await startListeningApp({ MCP: 'on' })
    const { tokens } = await letIn(server, server.as(6))
    addToken(server.app.server, tokens.access_token)
    const { stdout: listed } = await run(process.execPath, [CONFORMANCE, 'list', '--server'])
    const scenarios = [...listed.matchAll(/^ +- ([\w-]+)/gm)].map(([, name = '']) => name)
    const leftOut = Object.values(LEFT_OUT).flat()
    expect(scenarios, 'A scenario that is left out is in the suite').toEqual(expect.arrayContaining(leftOut))
    const output = await mkdtemp(join(tmpdir(), 'conformance-'))
    for (const scenario of scenarios.filter((name) => !leftOut.includes(name))) {
      const given = ['server', '--url', `${server.context.configuration.publicUrl}/mcp`, '--scenario', scenario, '--output-dir', output]
      const { stdout } = await run(process.execPath, [CONFORMANCE, ...given])
      expect(stdout, scenario).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    }
  },
)
