import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { uploadPicture } from '../../../src/contract/pictures.ts'
import { type HostileUpload, FORBIDDEN_TEXTS } from './hostile-uploads.ts'

export interface UploadReport {
  readonly outcome: 'refused' | 'kept' | 'failed'
  /** What is wrong; empty if everything is correct. */
  readonly wrong: readonly string[]
}

export const PICTURE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/x-icon'])

const checkRefusal = async (response: Response): Promise<string[]> => {
  const text = await response.text()
  const wrong: string[] = []
  if (!response.headers.get('content-type')?.startsWith('application/problem+json'))
    wrong.push(`answered as ${response.headers.get('content-type')}`)
  if (!/"title":"[^"]{5,}"/.test(text)) wrong.push('no words to it')
  if (/node_modules|\.ts:\d|\bat [\w.]+ \(/.test(text)) wrong.push('tells of the server’s inside')
  return wrong
}

const checkStoredPicture = async (response: Response, sent: Buffer): Promise<string[]> => {
  const bytes = Buffer.from(await response.arrayBuffer())
  const header = (name: string): string => response.headers.get(name) ?? ''
  const wrong = FORBIDDEN_TEXTS.filter((mark) => bytes.includes(mark)).map((mark) => `holds ${mark}`)
  if (response.status !== 200) wrong.push(`its picture is ${response.status}`)
  if (!PICTURE_TYPES.has(header('content-type'))) wrong.push(`its picture is ${header('content-type')}`)
  if (header('x-content-type-options') !== 'nosniff') wrong.push('may be sniffed')
  if (!header('content-security-policy').includes("default-src 'none'")) wrong.push('has no policy')
  if (sent.includes(bytes)) wrong.push('is kept as it was sent')
  return wrong
}

/** Sends a malicious upload over the network and checks the result. */
export const checkUpload = async (
  url: string,
  headers: Record<string, string>,
  { make, mayBeKept }: HostileUpload,
): Promise<UploadReport> => {
  const sent = await make()
  const response = await fetch(`${url}${uploadPicture.path}`, {
    method: uploadPicture.method,
    headers: { ...headers, ...sent.headers },
    body: Uint8Array.from(sent.body),
  })
  if (response.status >= 400 && response.status < 500) return { outcome: 'refused', wrong: await checkRefusal(response) }
  if (response.status >= 300) return { outcome: 'failed', wrong: [`answered ${response.status}: ${await response.text()}`] }
  const picture = (await response.json()) as { url: string }
  const wrong = await checkStoredPicture(await fetch(`${url}${picture.url}`, { headers }), sent.body)
  return { outcome: 'kept', wrong: mayBeKept ? wrong : [...wrong, 'was to be refused'] }
}

/**
 * An upload that never ends: a few bytes a second, for as long as the server accepts them. Returns after how many seconds it was aborted, and the
 * response.
 */
export const uploadEndlessly = async (url: string, headers: Record<string, string>, maxSeconds: number) => {
  const started = Date.now()
  const getSeconds = (): number => Math.round((Date.now() - started) / 1000)
  let status = 0
  const sent = request(`${url}${uploadPicture.path}`, {
    method: uploadPicture.method,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=slow', 'content-length': 1_000_000 },
  })
  sent.on('response', (response) => {
    status = response.statusCode ?? 0
    response.resume()
  })
  sent.on('error', () => undefined)
  sent.write('--slow\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n')
  for (; !sent.closed && getSeconds() < maxSeconds; await pause(500)) sent.write('x')
  const seconds = getSeconds()
  sent.destroy()
  return { seconds, status }
}
