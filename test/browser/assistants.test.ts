import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'

/** A program on the person's computer that waits for the answer. */
const openProgram = async () => {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Done</title>'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, close: () => server.close() }
}

test('an assistant registers, is let in, asks, and is ended', async ({ page }) => {
  const name = `Assistant ${randomBytes(3).toString('hex')}`
  const program = await openProgram()
  const post = (path: string, options: object) =>
    page.request.post(baseUrl() + path, { ...options, headers: { cookie: '', ...(options as { headers?: object }).headers } })
  await signIn(page, `granite.${randomBytes(4).toString('hex')}@network.test`)
  const registered = await post('/oauth/register', { data: { client_name: name, redirect_uris: [program.address] } })
  const { client_id: client } = (await registered.json()) as { client_id: string }
  const verifier = randomBytes(32).toString('base64url')
  const resource = `${new URL(baseUrl()).origin}/mcp`
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: program.address,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    scope: 'look_up suggest_changes',
  })

  await page.goto(`${baseUrl()}/oauth/authorize?${asked}`)
  await expect(page.getByRole('heading', { name: `Let “${name}” use Homeroom?`, exact: true })).toBeVisible()
  await expect(page.getByText('as level 10, and nothing else.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'What it may do', exact: true }).getByRole('listitem')).toHaveText([
    /Look things up/,
    /Suggest changes/,
  ])
  await expect(page.getByText(`a program on your computer (${new URL(program.address).host})`, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(`${program.address}?**`)

  const form = {
    grant_type: 'authorization_code',
    client_id: client,
    code: new URL(page.url()).searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: program.address,
  }
  const { access_token: token } = (await (await post('/oauth/token', { form })).json()) as { access_token: string }
  const ask = () =>
    post('/mcp', {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'principal' } } },
    })
  const answer = await ask()
  expect(await answer.text()).toContain('Records that were found')

  await visit(page, '/account')
  const own = page.getByRole('list', { name: 'Assistants', exact: true }).getByRole('listitem')
  await expect(own).toHaveText([new RegExp(`${name}.*Look things up, Suggest changes.*Last used just now`)])
  await expectAccessible(page)
  await page.getByRole('button', { name: `End the assistant ${name}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End Access', exact: true }).click()
  await expect(own).toHaveCount(0)
  expect((await ask()).status()).toBe(401)
  program.close()
})

test('a request that was answered says so', async ({ page, pageErrors }) => {
  pageErrors.expect(/404|could not be found/)
  await signIn(page, `granite.${randomBytes(4).toString('hex')}@network.test`)
  await page.goto(`${baseUrl()}/assistant/abcdefghijklmnop`)
  await expect(page.getByRole('heading', { name: 'This request has ended', exact: true })).toBeVisible()
  await expectAccessible(page)
})
