import { send } from '../../../../platform/web/client.ts'
import type { Failure } from '../../../../platform/web/client.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { recordPageView } from '../contract.ts'
import { findPagePattern, toPagePattern } from '../rules.ts'

/** Counts a view of a page. Callers do not wait for it, and a failure is ignored. */
export const countPageView = (routePath: string): void => {
  const page = toPagePattern(routePath)
  if (readToken() && findPagePattern(page) !== undefined) send(recordPageView, { body: { page } }).catch(() => undefined)
}

export const isPageView = (failure: Failure): boolean => failure.call === recordPageView
