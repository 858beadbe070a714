import { send } from '../../../../platform/web/client.ts'
import type { Failure } from '../../../../platform/web/client.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { recordPageView } from '../contract.ts'

/** '/location/{id}' for `/location/$id` of the route tree. Patterns are counted, never the paths themselves. */
export const toPagePattern = (routePath: string): string => routePath.replace(/\$(\w+)/g, '{$1}') || '/'

/** Counts a page view. Failures are ignored, because content blockers cause them too. */
export const countPageView = (routePath: string): void => {
  if (readToken()) send(recordPageView, { body: { page: toPagePattern(routePath) } }).catch(() => undefined)
}

export const isPageView = (failure: Failure): boolean => failure.call === recordPageView
