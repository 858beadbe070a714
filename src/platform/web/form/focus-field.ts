let isPressed = false
document.addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => (isPressed = false), true)
/**
 * Waits until the pointer is released: an error that appears while it is pressed would move the click target. Fields are validated on
 * blur, often caused by pressing the next control.
 */
export const runAfterPress = (then: () => void): void => {
  if (isPressed) document.addEventListener('pointerup', () => setTimeout(then), { once: true })
  else then()
}

/** Focuses a field in the next frame, when its error is rendered. If the page only displays the field, that element is focused. */
export const focusField = (path: string): void => {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`)
    const input = field?.querySelector<HTMLElement>('input:not([type="hidden"], [disabled], [tabindex="-1"]), select, textarea, button')
    if (input) input.focus()
    else field?.focus()
    field?.scrollIntoView({ block: input ? 'nearest' : 'center' })
  })
}
