import { startApp, type TestApp } from './app.ts'
import { type Visitor, visitor } from './cookie-client.ts'
import { freePort } from './free-port.ts'

/** A server that is asked over the network: sign-in with the local provider talks to itself. */
export const startServer = async (environment: Record<string, string> = {}): Promise<TestApp & { readonly visit: () => Visitor }> => {
  const port = await freePort()
  const started = await startApp({ PORT: String(port), ...environment })
  await started.app.listen({ host: '127.0.0.1', port })
  return { ...started, visit: () => visitor(`http://127.0.0.1:${port}`) }
}
