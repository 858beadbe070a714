export const MAX_DEVICE_NAME_LENGTH = 100

/** The path of the address books. */
export const ADDRESS_BOOKS_PATH = '/dav/'

/** Contact programs by a part of their user agent; the most specific come first. */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/\bvdirsyncer\b/i, 'vdirsyncer'],
  [/\bDAVx5\b/i, 'DAVx5 on Android'],
  [/\bThunderbird\b/i, 'Thunderbird'],
  [/\bEvolution\b/i, 'Evolution'],
  [/\b(?:Outlook|CalDavSynchronizer)\b/i, 'Outlook'],
  [/\biPad/i, 'iPad'],
  [/\biOS\b|\biPhone/i, 'iPhone'],
  [/\bmacOS\b|\bMac[ _]OS[ _]X\b|\bAddressBook(?:Core|SourceSync)?\//i, 'Mac'],
  [/\bAndroid\b/i, 'Android'],
]

/** The program with this user agent: a known one, or the first word of it. */
export const findClient = (userAgent: string | null): string | null => {
  if (!userAgent) return null
  return CLIENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? (/^[\w.-]{1,40}/.exec(userAgent)?.[0] || null)
}

/** Whether a program is on a phone or tablet. */
export const isHandheldClient = (client: string | null): boolean => client !== null && /iPhone|iPad|Android/.test(client)
