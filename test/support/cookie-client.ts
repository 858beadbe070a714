interface StoredCookie {
  readonly value: string
  readonly path: string
  readonly line: string
}

/** Where redirects ended: at a response without a redirect, or at the login page, which belongs to the web app. */
export interface Landing {
  readonly url: URL
  readonly response: Response
}

/** A client that stores cookies by name and path and follows redirects, like a browser. */
export interface CookieClient {
  readonly cookies: Map<string, StoredCookie>
  /** Sends one request with this browser's cookies; does not follow redirects. */
  readonly open: (address: string | URL, init?: RequestInit) => Promise<Response>
  /** Follows redirects until there is none, or until /login. */
  readonly follow: (address: string | URL, init?: RequestInit) => Promise<Landing>
}

export const createCookieClient = (publicUrl: string): CookieClient => {
  const cookies: CookieClient['cookies'] = new Map()
  const open: CookieClient['open'] = async (address, init = {}) => {
    const url = new URL(address, publicUrl)
    const headers = new Headers(init.headers)
    const fitting = [...cookies].filter(([, { path }]) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
    if (url.hostname === new URL(publicUrl).hostname && fitting.length > 0 && !headers.has('cookie')) {
      headers.set('cookie', fitting.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; '))
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      const expires = /;\s*expires=([^;]+)/i.exec(line)?.[1]
      const over = /;\s*max-age=0/i.test(line) || (expires !== undefined && Date.parse(expires) < Date.now())
      if (over) cookies.delete(`${name} ${path}`)
      else cookies.set(`${name} ${path}`, { value, path, line })
    }
    return response
  }
  const follow: CookieClient['follow'] = async (address, init) => {
    let url = new URL(address, publicUrl)
    let response = await open(url, init)
    for (let hops = 0; response.headers.has('location'); hops++) {
      if (hops > 15) throw new Error(`Sent around in a circle, at last to ${url.href}`)
      url = new URL(response.headers.get('location') ?? '', url)
      if (url.pathname === '/login') break
      response = await open(url)
    }
    return { url, response }
  }
  return { cookies, open, follow }
}
