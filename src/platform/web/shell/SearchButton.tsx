import { IconSearch } from '@tabler/icons-react'

import { openPalette, PALETTE_KEYS } from '../palette.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './SearchButton.module.css'

/** Opens the search palette from the top bar: looks like a search field; in narrow layouts, only its icon. */
export const SearchButton = ({ brief = false }: { brief?: boolean }) => (
  <button
    type="button"
    className={`${layoutClasses.row} ${classes.search}`}
    data-brief={brief || undefined}
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K /"
    onClick={() => openPalette()}
  >
    <IconSearch size={18} stroke={1.75} aria-hidden className={textClasses.dimmed} />
    <span className={`${textClasses.truncated} ${layoutClasses.filling} ${classes.text}`}>Search everything</span>
    <kbd className={`${layoutClasses.notOnPhones} ${layoutClasses.rigid} ${textClasses.unbroken} ${classes.key}`}>{PALETTE_KEYS}</kbd>
  </button>
)
