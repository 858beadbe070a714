import type { ComponentType } from 'react'

/** Shows the current values of a site next to a request; passed in, since records belong to higher groups. */
export interface ShowsCurrentValues {
  readonly CurrentValues: ComponentType<{ slug: string }>
}
