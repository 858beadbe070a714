import { setGlobalProxyFromEnv } from 'node:http'

import type { Configuration } from './configuration.ts'

/** Never through a proxy: the doctor asks the server beside it. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The proxy for an address; undefined where it is asked directly. NO_PROXY has hosts, `.domain` for those below it, `host:port`, or `*`. */
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

/** Sends what this process asks of other machines by HTTP through the proxy of HTTPS_PROXY and HTTP_PROXY, but for the hosts of NO_PROXY. */
export const setOutboundProxy = ({ outboundProxy: { https, http, except } }: Configuration): void => {
  if (https === undefined && http === undefined) return
  setGlobalProxyFromEnv({
    ...(https === undefined ? {} : { https_proxy: https }),
    ...(http === undefined ? {} : { http_proxy: http }),
    no_proxy: [...OWN_HOSTS, except].filter(Boolean).join(','),
  })
}
