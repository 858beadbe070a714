import { IconPrinter } from '@tabler/icons-react'

import { HeadAction } from './HeadAction.tsx'

/** Prints the page. If it was in a menu, the menu has closed by then. */
export const PrintButton = () => (
  <HeadAction icon={IconPrinter} isBrief worksOffline onClick={() => setTimeout(() => window.print())}>
    Print
  </HeadAction>
)
