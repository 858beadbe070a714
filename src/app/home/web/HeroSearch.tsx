import { IconSearch } from '@tabler/icons-react'

import { isNarrow } from '../../../platform/web/narrow.ts'
import { openPalette, PALETTE_KEYS, usePalette } from '../../../platform/web/palette.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './HeroSearch.module.css'

/** Keys that open the palette without entering text. */
const OPENING_KEYS = ['Enter', 'ArrowDown', '/']

/**
 * The search field of the home page, focused initially. The first letter opens the palette, which takes over the text; letters typed before the
 * palette has loaded stay in the field.
 */
export const HeroSearch = () => {
  const { isOpen, text } = usePalette()
  return (
    <search className={`${layoutClasses.block} ${classes.hero}`}>
      <h1 className={`${layoutClasses.bottomMargin20} ${textClasses.centeredText} ${classes.question}`}>
        Who or what are you looking for?
      </h1>
      <label className={`${layoutClasses.row} ${layoutClasses.card} ${classes.field}`}>
        <IconSearch size={22} stroke={1.75} aria-hidden className={textClasses.dimmed} />
        <input
          type="text"
          inputMode="search"
          // On a phone, the keyboard would cover half of the page.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={!isNarrow()}
          data-first-focus
          aria-label="Who or what are you looking for?"
          aria-haspopup="dialog"
          placeholder="Name, site, phone or finance number"
          autoComplete="off"
          spellCheck={false}
          className={`${layoutClasses.filling} ${textClasses.textColor} ${classes.input}`}
          value={isOpen ? text : ''}
          onChange={(event) => openPalette(event.currentTarget.value)}
          onClick={() => openPalette(text)}
          onKeyDown={(event) => {
            if (!OPENING_KEYS.includes(event.key) || isOpen) return
            event.preventDefault()
            openPalette()
          }}
        />
        <kbd className={`${layoutClasses.notOnPhones} ${layoutClasses.rigid}`}>{PALETTE_KEYS}</kbd>
      </label>
    </search>
  )
}
