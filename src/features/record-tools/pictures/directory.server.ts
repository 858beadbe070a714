/** No photo of a person is larger; whoever sends more is read no further. */
const MAX_PHOTO_BYTES = 2 * 1024 * 1024

/** What the directory said of a photo. */
export type DirectoryResponse =
  | { readonly kind: 'photo'; readonly bytes: Buffer }
  /** There is none. */
  | { readonly kind: 'none' }
  /** This caller's token is not good for it: somebody else's may be. */
  | { readonly kind: 'refused' }
  /** What came is no photo of a sensible size. */
  | { readonly kind: 'nonsense' }
  /** It is down, slow, or asks to be left alone. */
  | { readonly kind: 'away' }

/** Reads an answer as far as it is worth it; undefined where it is too large. */
const readBytes = async (response: Response): Promise<Buffer | undefined> => {
  if (Number(response.headers.get('content-length') ?? 0) > MAX_PHOTO_BYTES) return undefined
  const pieces: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the connection.
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > MAX_PHOTO_BYTES) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const discardBody = async (response: Response): Promise<void> => response.body?.cancel().catch(() => undefined)

/** Asks the directory (Microsoft Graph) for the photo at an address of it. The token goes there and nowhere else: it is sent on by nobody. */
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
