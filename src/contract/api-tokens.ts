/** The prefix of API tokens, by which people and secret scanners recognize them. */
export const API_TOKEN_PREFIX = 'hr_'

/** Whether a text has the format of an API token: the prefix and 32 bytes in base64url, which is longer than any session token. */
export const isApiToken = (text: string): boolean => /^hr_[\w-]{43}$/.test(text)
