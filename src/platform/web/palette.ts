import { isTyping } from './keyboard.ts'
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
    const isShortcut =
      (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) ||
      (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target))
    if (!isShortcut || event.defaultPrevented) return
    event.preventDefault()
    if (!palette.get().isOpen) openPalette()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
