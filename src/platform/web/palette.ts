import { hasModifier, isPressed, isTyping } from './keyboard.ts'
import { EVERYWHERE } from './shortcuts.ts'
import { createStore, useStore } from './store.ts'

interface Palette {
  readonly isOpen: boolean
  /** The query, stored here so that letters typed while the palette is loading are not lost. */
  readonly text: string
}

const closed: Palette = { isOpen: false, text: '' }
const palette = createStore(closed)

/** Opens the search palette from any page, with `text` already typed. */
export const openPalette = (text = ''): void => palette.set({ isOpen: true, text })
export const closePalette = (): void => {
  if (palette.get().isOpen) palette.set(closed)
}
export const usePalette = (): Palette => useStore(palette)

/** 'Ctrl K' in the notation of this platform. */
export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

/** Opens the palette on Ctrl K (Cmd K) anywhere, and on `/` outside text fields. Returns a function that stops it. */
export const listenForPaletteKeys = (): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (!isPressed(event, EVERYWHERE.search) || event.defaultPrevented) return
    // Without Ctrl it may be typed.
    if (!hasModifier(event) && (palette.get().isOpen || isTyping(event.target))) return
    event.preventDefault()
    if (!palette.get().isOpen) openPalette()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** Takes over the typing while the palette is loading, wherever the focus is. Returns a function that stops it. */
export const keepTypedText = (): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    const { text } = palette.get()
    if (event.defaultPrevented || hasModifier(event)) return
    if (event.key === 'Escape') closePalette()
    else if (event.key === 'Backspace') openPalette(text.slice(0, -1))
    else if (event.key.length === 1) openPalette(text + event.key)
    else return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
