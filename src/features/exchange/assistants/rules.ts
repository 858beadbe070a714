/** Where assistants send their requests (Model Context Protocol). */
export const MCP_PATH = '/mcp'

/** What a person can allow an assistant to do, with how the consent page says it. */
export const SCOPES = {
  look_up: { name: 'Look things up', about: 'Sites, people, deadlines and all else that you can open' },
  suggest_changes: { name: 'Suggest changes', about: 'A person decides on each; it can save nothing itself' },
} as const
export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/** The known ones of a list of scopes, as a request names them. */
export const parseScopes = (text: string | undefined): Scope[] => {
  const asked = new Set(text?.split(' '))
  return SCOPE_NAMES.filter((scope) => asked.has(scope))
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Whether a program may have an address to which its answer is sent: https, or http on the person's own computer. */
export const isRedirectAddress = (address: string): boolean => {
  const url = URL.parse(address)
  if (!url || url.hash !== '' || address.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

/** Where an answer goes, for people: the host, or that it stays on their computer. */
export const formatDestination = (address: string): string => {
  const { protocol, host } = new URL(address)
  return protocol === 'http:' ? `a program on your computer (${host})` : host
}
