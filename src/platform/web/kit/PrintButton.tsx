import { IconPrinter } from '@tabler/icons-react'

import { HeadAction } from './HeadAction.tsx'

/** Prints the page as a sheet. The menu it may stand in is gone by then. */
export const PrintButton = () => (
  <HeadAction icon={IconPrinter} isBrief onClick={() => setTimeout(() => window.print())}>
    Print
  </HeadAction>
)
