import './platform/web/global.css'
import '@mantine/core/styles.layer.css'
// Before the components, whose own classes override them.
import './platform/web/kit/Layout.module.css'
import './platform/web/kit/Text.module.css'
import './platform/web/no-eval.ts'
import './features/access/session/web/start.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { routeTree } from './app/pages.web.tsx'
import { followCopy } from './features/access/offline/web/follow-copy.ts'
import { refreshSession } from './features/access/session/contract.ts'
import { checkCopy, clearSession } from './features/access/session/web/session.ts'
import { reportError, startErrorLog } from './features/operations/error-log/web/report.ts'
import { countPageView, isPageView } from './features/operations/page-views/web/page-views.ts'
import { keepProgram } from './platform/web/app-update.ts'
import { session } from './platform/web/caller.ts'
import { onFailure } from './platform/web/client.ts'
import { isSignedOut } from './platform/web/failures.ts'
import { setDraftOwner } from './platform/web/form/drafts.ts'
import { requestSignIn, isFormOpen } from './platform/web/form/open-forms.ts'
import { setUndoSaves } from './platform/web/form/show-saved.ts'
import { enableFullTextTooltips } from './platform/web/full-text-tooltips.ts'
import { trackHistory } from './platform/web/kit/page-history.ts'
import { PageError } from './platform/web/kit/PageError.tsx'
import { trackNavigation } from './platform/web/navigation.ts'
import { onConnectionChange, isOffline, setOfflineAnswers } from './platform/web/offline.ts'
import { printInLightColors } from './platform/web/print.ts'
import { queryClient } from './platform/web/queries.ts'
import { parseSearch, formatSearch } from './platform/web/search-params.ts'
import { cssVariablesResolver, theme } from './platform/web/theme.ts'
import { readToken } from './platform/web/token.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

// Expired sessions are normal and handled separately; failed sign-ins are reported.
startErrorLog(
  (failure) => isPageView(failure) || failure.call.isBackground === true || (isSignedOut(failure.error) && failure.call !== refreshSession),
)

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch: formatSearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})
// The page's code is loaded while the server checks the session; without a token, the login page comes first.
if (readToken() !== null) {
  for (const { options } of router.getMatchedRoutes(location.pathname)[0]) void options.component?.preload?.()
}
trackHistory(router)
printInLightColors()
enableFullTextTooltips()
keepProgram()
setOfflineAnswers(async () => (await import('./app/offline-answers.web.ts')).answerFromDevice)
followCopy()
trackNavigation(router, countPageView)
setUndoSaves(async (saves) => (await import('./features/changing/changesets/web/undo-saves.ts')).undoRequests(saves))

// An expired session clears token and user; the guard leads to the login page and back afterward. Over a form, a dialog prompts for sign-in instead.
onFailure(({ error, token }) => {
  if (!isSignedOut(error) || token === null || token !== readToken()) return
  void checkCopy()
  if (isFormOpen()) void requestSignIn()
  else clearSession()
})
onConnectionChange(() => {
  if (isOffline()) return
  // The server is back: it decides about a session that a copy of the directory stood in for, and everything shown is read again.
  if (readToken() === null && session.get().state === 'signed in') clearSession()
  else void queryClient.invalidateQueries()
})
session.subscribe(() => {
  const now = session.get()
  if (now.state === 'signed in') setDraftOwner(now.user.azureID)
  if (now.state === 'signed out') queryClient.clear()
  void router.invalidate()
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root, {
  onCaughtError: (error) => {
    // oxlint-disable-next-line eslint/no-console -- React leaves it to us, and nothing else shows where rendering failed
    console.error(error)
    reportError('page', error, location.pathname)
  },
}).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
