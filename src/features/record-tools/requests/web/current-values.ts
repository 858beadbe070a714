import type { ComponentType } from 'react'

/** What shows the current values of a site beside a request; handed in, since records come after requests. */
export interface ShowsCurrentValues {
  readonly CurrentValues: ComponentType<{ slug: string }>
}
