import { connect } from 'node:net'

/** Writes raw bytes to a server, and returns its response until it ends or stops. */
export const sendRaw = (base: string, bytes: string | Buffer, quietMs = 1500): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    let answer = ''
    const end = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(quietMs, end)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', () => resolve(answer))
    socket.write(bytes)
  })

export const parseStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)

/** The headers of a complete response, by lower-case name. */
export const parseHeaders = (answer: string): Record<string, string> =>
  Object.fromEntries(
    (answer.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
  )
