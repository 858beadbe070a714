const EXAMPLE = 'postgres://user:password@one:5432,two:5432/database'

export interface Host {
  readonly host: string
  readonly port: number
}

/** An invalid host list in DATABASE_URL. */
export class InvalidHostsError extends Error {}

/** A host as written in a URL. */
export const formatHost = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * The hosts of a URL with several (`postgres://user:password@one:5432,two:5433/database`, as in libpq), and the same URL with only the first;
 * undefined for a URL with one host, which node-postgres parses itself. Errors do not repeat the list: an unescaped slash in the password would put
 * part of the password there.
 */
export const parseHosts = (address: string): { readonly hosts: readonly Host[]; readonly first: string } | undefined => {
  const [, scheme = '', user = '', list = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(address) ?? []
  if (!list.includes(',')) return undefined
  const hosts = list.split(',').map((text, at): Host => {
    const [, bracketed, plain, port = '5432'] = /^(?:\[([\da-f:.%]+)\]|([^\s:%[\]]+))(?::(\d+))?$/i.exec(text) ?? []
    const host = bracketed ?? plain
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new InvalidHostsError(`has no host at position ${at + 1} of its list. Example: ${EXAMPLE}`)
    }
    return { host, port: Number(port) }
  })
  const first = `${scheme}${user}${list.split(',')[0] ?? ''}${rest}`
  if (!URL.canParse(first)) throw new InvalidHostsError(`is not a valid address. Example with several hosts: ${EXAMPLE}`)
  if (new Set(hosts.map(formatHost)).size < hosts.length) throw new InvalidHostsError('names a host twice')
  return { hosts, first }
}
