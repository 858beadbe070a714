import { setGlobalProxyFromEnv } from 'node:http'

import type { Configuration } from './configuration.ts'

/** Never proxied: the doctor queries the local server. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The proxy for a URL; undefined for a direct connection. NO_PROXY lists hosts, `.domain` for subdomains, `host:port`, or `*`. */
export const findProxy = (address: string, { outboundProxy: { https, http, except } }: Configuration): string | undefined => {
  const { protocol, hostname, port } = new URL(address)
  const proxy = protocol === 'https:' ? https : http
  if (proxy === undefined) return undefined
  const isExcepted = (entry: string): boolean => {
    const [, name = '', only] = /^\*?(.*?)(?::(\d+))?$/.exec(entry) ?? []
    if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false
    return entry === '*' || hostname === name || (name.startsWith('.') && hostname.endsWith(name))
  }
  return [
    ...OWN_HOSTS,
    ...except
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ].some(isExcepted)
    ? undefined
    : proxy
}

/** Sends outgoing HTTP requests of this process through the proxy of HTTPS_PROXY and HTTP_PROXY, except for the hosts of NO_PROXY. */
export const setOutboundProxy = ({ outboundProxy: { https, http, except } }: Configuration): void => {
  if (https === undefined && http === undefined) return
  setGlobalProxyFromEnv({
    ...(https === undefined ? {} : { https_proxy: https }),
    ...(http === undefined ? {} : { http_proxy: http }),
    no_proxy: [...OWN_HOSTS, except].filter(Boolean).join(','),
  })
}
