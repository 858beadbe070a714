/** Paths that the server answers itself: calls, sign-in, files. All others are pages of the web app. */
const SERVER_PATH =
  /^\/(api|auth|calendar|scim|locations-api|log-error|openapi\.json|docs|metrics|healthz|readyz|assets|icons|local-provider|dav|dav-profile|mcp|oauth|\.well-known)(\/|\?|$)/

/** Whether a path belongs to the server, so that it is never answered with the web app's page. */
export const isServerPath = (path: string): boolean => SERVER_PATH.test(path)

/** `/icon.svg` is a file of the server; `/charter/St.Mary` is a page. */
export const isFilePath = (path: string): boolean => /^\/[^/]+\.[a-z0-9]{1,12}$/i.test(path)
