import '../../src/platform/web/global.css'
import '@mantine/core/styles.layer.css'
// Before the components, whose own classes override them.
import '../../src/platform/web/kit/Layout.module.css'
import '../../src/platform/web/kit/Text.module.css'
import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

import { formatSearch, parseSearch } from '../../src/platform/web/search-params.ts'
import { ErrorBanner } from '../../src/platform/web/shell/ErrorBanner.tsx'
import { cssVariablesResolver, theme } from '../../src/platform/web/theme.ts'

export interface Rendered {
  /** The URL that the components see instead of the browser's. */
  readonly address: () => string
  readonly unmount: () => void
}

/** Renders components inside the app's providers: theme, styles, router, error banner. */
export const render = (content: ReactNode, address = '/'): Rendered => {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => content }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch: formatSearch,
  })
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <ErrorBanner />
        <main id="main">
          <RouterProvider router={router as never} />
        </main>
      </MantineProvider>
    </StrictMode>,
  )
  const unmount = () => {
    root.unmount()
    place.remove()
  }
  onTestFinished(unmount)
  return { address: () => router.state.location.href, unmount }
}
