/** Whether a focused field takes letters: shortcuts of letters do nothing then. A checkbox or a radio button takes none. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** Whether a focused field takes arrow keys: also a radio button, where they choose another one. */
export const takesArrowKeys = (target: EventTarget | null): boolean =>
  isTyping(target) || (target instanceof HTMLInputElement && target.type === 'radio')

/** Keys belong to an open dialog. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null
