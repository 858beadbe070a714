let isPressed = false
document.addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => (isPressed = false), true)
/**
 * Waits until a press is over: an error that appears between the two halves of a click pushes what is being clicked away. A field is left, and
 * judged, by pressing the next thing.
 */
export const runAfterPress = (then: () => void): void => {
  if (isPressed) document.addEventListener('pointerup', () => setTimeout(then), { once: true })
  else then()
}

/** Takes the reader to a field: in the next frame, when what is wrong with it is there. A page that shows the field has nothing to type in: it is focused itself. */
export const focusField = (path: string): void => {
  requestAnimationFrame(() => {
    const place = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`)
    const input = place?.querySelector<HTMLElement>('input:not([type="hidden"], [disabled], [tabindex="-1"]), select, textarea, button')
    if (input) input.focus()
    else place?.focus()
    place?.scrollIntoView({ block: input ? 'nearest' : 'center' })
  })
}
