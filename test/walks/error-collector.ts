import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

const REPORT_PATH = '/walk-errors'

/** Runs in each page before its own scripts: WebKit's driver cannot read the console. */
const reportErrors = (path: string): void => {
  const report = (...parts: unknown[]) =>
    navigator.sendBeacon(path, parts.map((part) => (part instanceof Error ? `${part.message}\n${part.stack}` : String(part))).join(' '))
  const onError = ({ error, message, target }: ErrorEvent) => {
    // A browser reports sizes that it tells a frame later as an error without an exception.
    if (message?.startsWith('ResizeObserver loop')) return
    report(error ?? message ?? `${(target as Element).outerHTML} did not load`)
  }
  addEventListener('error', onError, true)
  addEventListener('unhandledrejection', ({ reason }) => report('Unhandled rejection:', reason))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => report('Refused by', violatedDirective, blockedURI))
  Object.assign(console, { error: report })
}

/**
 * A proxy in front of a server that adds a script to each page, with the nonce of that page, and collects the errors that the script sends. Everything
 * else is forwarded unchanged, also the policy of the page.
 */
export const startErrorCollector = async (listenOn: number, serverPort: number) => {
  const errors: string[] = []
  let isCut = false
  const takeError = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    errors.push(await text(incoming))
    outgoing.writeHead(204).end()
  }
  const sendPage = async (answer: IncomingMessage, outgoing: ServerResponse) => {
    const page = await text(answer)
    const nonce = / nonce="([^"]+)"/.exec(page)?.[1]
    const script = nonce === undefined ? '' : `<script nonce="${nonce}">(${reportErrors.toString()})('${REPORT_PATH}')</script>`
    const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, kept).end(page.replace('<head>', () => `<head>${script}`))
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === REPORT_PATH) {
      void takeError(incoming, outgoing)
      return
    }
    if (isCut) {
      incoming.socket.destroy()
      return
    }
    const { method, url: path } = incoming
    const isPage = incoming.headers.accept?.startsWith('text/html') === true
    const headers = isPage ? { ...incoming.headers, 'accept-encoding': 'identity' } : incoming.headers
    const onward = request({ host: '127.0.0.1', port: serverPort, method, path, headers }, (answer) => {
      if (!isPage || answer.headers['content-type']?.startsWith('text/html') !== true) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
        return
      }
      void sendPage(answer, outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => void server.listen(listenOn, '127.0.0.1', resolve))
  return {
    /** Without a network, every request but the reports of errors ends without an answer. */
    setNetwork: (isThere: boolean) => {
      isCut = !isThere
    },
    /** The errors since the last call. */
    takeErrors: () => errors.splice(0),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
