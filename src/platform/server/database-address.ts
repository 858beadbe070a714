const EXAMPLE = 'postgres://user:password@one:5432,two:5432/database'

export interface Host {
  readonly host: string
  readonly port: number
}

/** What the list of hosts in DATABASE_URL is not. */
export class InvalidHostsError extends Error {}

/** A host as it is in an address. */
export const formatHost = ({ host, port }: Host): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * The hosts of an address that names several (`postgres://user:password@one:5432,two:5433/database`, as libpq takes it), and the same address with
 * the first of them alone; undefined for an address of one host, which is node-postgres's own affair. What is in the list is not
 * repeated in a mistake: a slash in the password would put a part of it there.
 */
export const parseHosts = (address: string): { readonly hosts: readonly Host[]; readonly first: string } | undefined => {
  const [, scheme = '', user = '', list = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(address) ?? []
  if (!list.includes(',')) return undefined
  const hosts = list.split(',').map((text, at): Host => {
    const [, bracketed, plain, port = '5432'] = /^(?:\[([\da-f:.%]+)\]|([^\s:%[\]]+))(?::(\d+))?$/i.exec(text) ?? []
    const host = bracketed ?? plain
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new InvalidHostsError(`has no host at place ${at + 1} of its list; it reads like ${EXAMPLE}`)
    }
    return { host, port: Number(port) }
  })
  const first = `${scheme}${user}${list.split(',')[0] ?? ''}${rest}`
  if (!URL.canParse(first)) throw new InvalidHostsError(`is no address; with several hosts it reads like ${EXAMPLE}`)
  if (new Set(hosts.map(formatHost)).size < hosts.length) throw new InvalidHostsError('names a host twice')
  return { hosts, first }
}
