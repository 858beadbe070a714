import { send } from '../../../../platform/web/client.ts'
import type { Failure } from '../../../../platform/web/client.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { recordPageView } from '../contract.ts'

/** `/signed-in/location/$id` of the route tree as the pattern `/location/{id}` that is counted (D27). */
export const toPagePattern = (routePath: string): string => routePath.replace(/\$(\w+)/g, '{$1}') || '/'

/** Counts a view of a page. Nothing waits for it, and a blocker that eats it is nobody's business. */
export const countPageView = (routePath: string): void => {
  if (readToken()) send(recordPageView, { body: { page: toPagePattern(routePath) } }).catch(() => undefined)
}

export const isPageView = (failure: Failure): boolean => failure.call === recordPageView
