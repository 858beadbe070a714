import { startApp, type TestApp } from './app.ts'
import { type CookieClient, createCookieClient } from './cookie-client.ts'
import { getFreePort } from './free-port.ts'

/** A server that is called over the network: sign-in with the local provider sends requests to itself. */
export const startListeningApp = async (
  environment: Record<string, string> = {},
): Promise<TestApp & { readonly visit: () => CookieClient }> => {
  const port = await getFreePort()
  const started = await startApp({ PORT: String(port), ...environment })
  await started.app.listen({ host: '127.0.0.1', port })
  return { ...started, visit: () => createCookieClient(`http://127.0.0.1:${port}`) }
}
