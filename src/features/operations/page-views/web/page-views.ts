import { send } from '../../../../platform/web/client.ts'
import type { Failure } from '../../../../platform/web/client.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { recordPageView } from '../contract.ts'
import { toPagePattern } from '../rules.ts'

/** Counts a view of a page. Callers do not wait for it, and a failure is ignored. */
export const countPageView = (routePath: string): void => {
  if (readToken()) send(recordPageView, { body: { page: toPagePattern(routePath) } }).catch(() => undefined)
}

export const isPageView = (failure: Failure): boolean => failure.call === recordPageView
