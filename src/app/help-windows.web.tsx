import { lazy, Suspense } from 'react'

import { useHelpOpen } from '../platform/web/help-window.ts'
import { usePageKeys } from '../platform/web/keyboard.ts'
import { EVERYWHERE, openShortcutList, useShortcutList } from '../platform/web/shortcuts.ts'

const HelpDrawer = lazy(() => import('../features/operations/help/web/HelpDrawer.tsx').then((module) => ({ default: module.HelpDrawer })))
const ShortcutsDialog = lazy(() =>
  import('../platform/web/kit/ShortcutsDialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

const LIST_KEY = { list: EVERYWHERE.list }

/** What any page can show about itself: its help, and its keyboard shortcuts. */
export const HelpWindows = () => {
  const isHelpOpen = useHelpOpen()
  const isListOpen = useShortcutList()
  usePageKeys(LIST_KEY, openShortcutList)
  return (
    <Suspense>
      {isHelpOpen ? <HelpDrawer /> : null}
      {isListOpen ? <ShortcutsDialog /> : null}
    </Suspense>
  )
}
