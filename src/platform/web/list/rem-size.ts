/** The size of `1rem` in pixels, which follows the browser's font size. */
export const getRemSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
