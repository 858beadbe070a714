import type { Capability } from '../../../contract/capabilities.ts'
import type { PlainPath } from '../../../contract/pages.ts'

interface NewsLine {
  readonly text: string
  /** The page that it is about. */
  readonly to?: PlainPath
  /** Only for people who have it. */
  readonly capability?: Capability
}

/** What is new for people since the version before, at most five lines. Each release that they notice replaces them, with its own version. */
export const NEWS: { readonly version: string; readonly lines: readonly NewsLine[] } = {
  version: '0.2.0',
  lines: [
    { text: 'Lists show what a record was like on any past day: choose “As of” above a list.', to: '/locations' },
    { text: 'Homeroom can be installed on your phone, and the directory kept there for places without a network.', to: '/account' },
    { text: 'Two records of the same person or site can be merged into one.', to: '/duplicates', capability: 'manage the network' },
    { text: 'A site, person or charter that is no longer needed can be archived instead of deleted.', capability: 'archive a record' },
    { text: 'A new installation is set up in the browser, step by step.', to: '/setup', capability: 'set up the program' },
  ],
}
