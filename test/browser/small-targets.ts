import type { Locator } from '@playwright/test'

// Touch targets on phones must be at least 44 pixels high (WCAG 2.5.5). Links within a sentence are exempt.

const MIN_HEIGHT = 44

/**
 * Touch targets that are too low in a page or part of it: text and height. A checkbox counts with its row, and a select with its label, since these
 * can be pressed, too.
 */
export const listSmallTargets = (within: Locator): Promise<string[]> =>
  within.evaluate(
    (part, least) =>
      [...part.querySelectorAll<HTMLElement>('button, a, input, select, summary')].flatMap((target) => {
        const isCovered = getComputedStyle(target, '::after').position === 'absolute'
        const inSentence = target.tagName === 'A' && target.parentElement?.tagName === 'P' && getComputedStyle(target).display === 'inline'
        const box = target.tagName === 'SELECT' ? (target.closest('label') ?? target.parentElement ?? target) : target
        const { width, height } = box.getBoundingClientRect()
        if (width <= 1 || isCovered || inSentence || height > least - 1) return []
        return [`${target.tagName} "${(target.textContent || target.getAttribute('aria-label') || target.id).slice(0, 60)}": ${height}`]
      }),
    MIN_HEIGHT,
  )
