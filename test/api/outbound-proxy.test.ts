import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

import { expect, test } from 'vitest'

import { WebhookHttpClient } from '../../src/features/exchange/webhooks/post.server.ts'
import { RefusedTarget } from '../../src/features/exchange/webhooks/target.server.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { findProxy } from '../../src/platform/server/outbound-proxy.ts'

// In a separate process, because a proxy applies to the whole process.
test('fetch uses the proxy for other hosts, but not for hosts of NO_PROXY or this machine', async () => {
  const requested: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    requested.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  const direct = createServer((_request, response) => response.end('direct'))
  const ports = await Promise.all(
    [proxy, direct].map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    }),
  )
  const program = `
    import { readConfiguration } from './src/platform/server/configuration.ts'
    import { setOutboundProxy } from './src/platform/server/outbound-proxy.ts'
    setOutboundProxy(readConfiguration(process.env))
    const ask = (url) => fetch(url).then((answer) => answer.text(), () => 'failed')
    const urls = ['http://graph.test/me', 'https://login.test/x', 'http://127.0.0.1:${ports[1]}/', 'http://inner.example:1/']
    process.stdout.write(JSON.stringify(await Promise.all(urls.map(ask))))`
  const address = `http://user:p%40ss@127.0.0.1:${ports[0]}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: '.inner.example,inner.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (more: Buffer) => (text += more.toString()))
  await once(child, 'close')
  proxy.close()
  direct.close()
  expect(JSON.parse(text)).toEqual(['failed', 'failed', 'direct', 'failed'])
  expect(requested.toSorted()).toEqual(['graph.test:80', 'login.test:443'])
}, 30_000)

test.each([
  ['https://hooks.test/x', 'http://proxy.test:3128'],
  ['http://hooks.test/x', undefined],
  ['https://db.inner.example/', undefined],
  ['https://inner.example/', 'http://proxy.test:3128'],
  ['https://one.example/', undefined],
  ['https://two.example/', 'http://proxy.test:3128'],
  ['https://two.example:8443/', undefined],
  ['https://127.0.0.1/', undefined],
])('the proxy for %s is %s', (address, proxy) => {
  const NO_PROXY = '.inner.example, one.example,two.example:8443'
  expect(findProxy(address, readConfiguration({ HTTPS_PROXY: 'http://proxy.test:3128', NO_PROXY }))).toBe(proxy)
})

test.each([
  ['proxy.test:3128', 'http://proxy.test:3128'],
  ['user:pass@proxy.test:3128', 'http://user:pass@proxy.test:3128'],
  ['https://proxy.test', 'https://proxy.test'],
])('HTTPS_PROXY=%s is %s', (text, proxy) => {
  const { outboundProxy } = readConfiguration({ HTTPS_PROXY: text, HTTP_PROXY: text })
  expect(outboundProxy).toEqual({ https: proxy, http: proxy, except: '' })
})

test.each(['socks5://proxy.test:1080', 'http://'])('HTTPS_PROXY=%s is refused', (text) => {
  expect(() => readConfiguration({ HTTPS_PROXY: text })).toThrow('HTTPS_PROXY')
})

test('webhooks use the proxy, even on a private network, and a name of a private address is refused before', async () => {
  const requested: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    requested.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const client = new WebhookHttpClient({
    allowPrivate: false,
    findProxy: () => url,
    lookup: (hostname, _options, callback) =>
      callback(hostname === 'private.test' ? new RefusedTarget('private') : Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), ''),
  })
  const post = (host: string) =>
    client
      .post({ url: `https://${host}/hook`, headers: {}, body: '{}', signal: AbortSignal.timeout(10_000) })
      .catch((error: unknown) => error)
  expect(await post('private.test')).toBeInstanceOf(RefusedTarget)
  expect(requested).toEqual([])
  await post('hooks.test')
  expect(requested).toEqual(['hooks.test:443'])
  client.close()
  proxy.close()
})
