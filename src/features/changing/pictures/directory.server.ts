/** Larger responses are not read. */
const MAX_PHOTO_BYTES = 2 * 1024 * 1024

/** The result of a photo request to the directory. */
export type DirectoryResponse =
  | { readonly kind: 'photo'; readonly bytes: Buffer }
  /** There is no photo. */
  | { readonly kind: 'none' }
  /** The token is not valid for this photo; another caller's may be. */
  | { readonly kind: 'refused' }
  /** The response is too large. */
  | { readonly kind: 'nonsense' }
  /** It is down, slow, or limits requests. */
  | { readonly kind: 'away' }

/** Reads a response body; undefined if it is too large. */
const readBytes = async (response: Response): Promise<Buffer | undefined> => {
  if (Number(response.headers.get('content-length') ?? 0) > MAX_PHOTO_BYTES) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_PHOTO_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const discardBody = async (response: Response): Promise<void> => response.body?.cancel().catch(() => undefined)

/** Requests a photo from the directory (Microsoft Graph). Redirects are errors, so that the token is not sent anywhere else. */
export const fetchDirectoryPhoto = async (url: string, token: string, over: AbortSignal): Promise<DirectoryResponse> => {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'image/*' },
      redirect: 'error',
      signal: over,
    })
    if (response.status === 200) {
      const bytes = await readBytes(response)
      if (bytes !== undefined) return { kind: 'photo', bytes }
      await discardBody(response)
      return { kind: 'nonsense' }
    }
    await discardBody(response)
    if (response.status === 404) return { kind: 'none' }
    if (response.status === 401 || response.status === 403) return { kind: 'refused' }
    return { kind: 'away' }
  } catch {
    return { kind: 'away' }
  }
}
