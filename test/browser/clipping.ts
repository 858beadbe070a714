import type { Page } from '@playwright/test'

import { withAllDrawn } from './draw-all.ts'

/**
 * Everything on the page that cannot be read or pressed: text cut off by an ancestor, buttons whose text overflows, elements outside the window,
 * overlapping controls, and a page that scrolls sideways. Text may be truncated with an ellipsis if a tooltip shows the whole text, unless it
 * belongs to a control, a heading or a label.
 */
export const clippedIn = (page: Page): Promise<string[]> => withAllDrawn(page, () => findClipped(page))

const findClipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const CONTROL = 'button, a[href], [role=tab], [role=menuitem], summary, select, input:not([type=hidden]), textarea'
    const NEVER_SHORTENED = 'button, [role=tab], [role=menuitem], nav, label, legend, th[scope=col], dt, h1, h2, h3, h4'
    /** Elements that scroll sideways on purpose: filters on phones, wide tables, the map. */
    const SCROLLS =
      '[role=group][aria-label=Filters], [aria-label="Vacant positions by role"], table, [role=region][tabindex], [data-scrolls]'
    const found = new Set<string>()
    const width = document.documentElement.clientWidth
    const topmost = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1)
    const root = topmost ?? document.body
    const words = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.split(' ').at(-1)}` : ''}> "${words(element.getAttribute('aria-label') ?? element.textContent)}"`

    /** False for content that only screen readers can read, or that is not visible. */
    const isSeen = (element: Element): boolean => {
      if (element.closest('[inert]') || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { width: wide, height } = at.getBoundingClientRect()
        const { overflow, clipPath, clip, display } = getComputedStyle(at)
        if (display === 'contents') continue
        if ((wide <= 1 || height <= 1) && (overflow !== 'visible' || clipPath !== 'none' || clip !== 'auto')) return false
        if (at instanceof SVGElement) return false
        if (at === root) break
      }
      return true
    }

    if (document.documentElement.scrollWidth > width) found.add(`the page is ${document.documentElement.scrollWidth} wide`)

    // Text nodes, compared with every ancestor that clips.
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent || !node.nodeValue?.trim() || parent.closest('script, style, noscript, select, textarea, svg') || !isSeen(parent))
        continue
      range.selectNodeContents(node)
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5)
      if (boxes.length === 0) continue
      const left = Math.min(...boxes.map((box) => box.left))
      const right = Math.max(...boxes.map((box) => box.right))
      const top = Math.min(...boxes.map((box) => box.top))
      const bottom = Math.max(...boxes.map((box) => box.bottom))
      let sideways = true
      let isReported = false
      let upright = true
      const owner = parent.closest('button, [role=tab], [role=menuitem]')
      if (owner) {
        const box = owner.getBoundingClientRect()
        if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)
          found.add(`sticks out of ${nameOf(owner)}`)
      }
      for (let at: Element | null = parent; at && at !== document.documentElement; at = at.parentElement) {
        const style = getComputedStyle(at)
        if (style.display === 'contents' || style.display === 'inline') continue
        const box = at.getBoundingClientRect()
        const isCut =
          (sideways && ['hidden', 'clip'].includes(style.overflowX) && (left < box.left - 1 || right > box.right + 1)) ||
          (upright && ['hidden', 'clip'].includes(style.overflowY) && (top < box.top - 2 || bottom > box.bottom + 2))
        if (isCut) {
          const ends = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
          if (!ends || at.closest(NEVER_SHORTENED)) found.add(`cut off: "${words(node.nodeValue)}" in ${nameOf(at)}`)
          else {
            // Points at the visible part, like a user.
            at.scrollIntoView({ block: 'center', inline: 'center' })
            const { left: x, top: y, height } = at.getBoundingClientRect()
            const pointed = document.elementFromPoint(x + 4, y + height / 2)
            // Content behind an open dialog cannot be read.
            const isCovered = !at.contains(pointed) && !pointed?.contains(at) && !pointed?.closest('article, li')?.contains(at)
            pointed?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
            if (!isCovered && !pointed?.closest('[title]')?.getAttribute('title')?.replace(/\s+/g, ' ').includes(words(at.textContent)))
              found.add(`shortened, and nowhere in full: "${words(node.nodeValue)}" in ${nameOf(at)}`)
          }
          isReported = true
          break
        }
        if (['auto', 'scroll'].includes(style.overflowX) && at.scrollWidth > at.clientWidth + 1) {
          if (!at.closest(SCROLLS) && (left < box.left - 1 || right > box.right + 1))
            found.add(`scrolled away: "${words(node.nodeValue)}" in ${nameOf(at)}`)
          sideways = false
        }
        if (['auto', 'scroll'].includes(style.overflowY)) upright = false
        if (style.position === 'fixed') break
      }
      if (!isReported && sideways && (left < -1 || right > width + 1))
        found.add(`outside of the window: "${words(node.nodeValue)}" in ${nameOf(parent)}`)
    }

    // The placeholder of an empty field.
    const brush = document.createElement('canvas').getContext('2d')
    for (const field of root.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      if (!brush || field.value !== '' || !isSeen(field)) continue
      const [style, placeholder] = [getComputedStyle(field), getComputedStyle(field, '::placeholder')]
      brush.font = `${placeholder.fontWeight} ${placeholder.fontSize} ${placeholder.fontFamily}`
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      if (brush.measureText(field.placeholder).width > room + 1) found.add(`cut off: the placeholder "${field.placeholder}"`)
    }

    // Controls, compared with the window and with each other.
    const controls = [...root.querySelectorAll(CONTROL)]
      .filter(isSeen)
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
    const layerOf = (element: Element): Element | null => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (
          ['fixed', 'sticky'].includes(getComputedStyle(at).position) ||
          at.matches('.mantine-Popover-dropdown, .mantine-Menu-dropdown, [popover]')
        )
          return at
      return null
    }
    const placed = controls
      .filter(({ box }) => box.width > 2 && box.height > 2)
      .map((one) => Object.assign(one, { layer: layerOf(one.element) }))
    for (const { element, box } of placed)
      if (!element.closest(SCROLLS) && (box.left < -1 || box.right > width + 1)) found.add(`outside of the window: ${nameOf(element)}`)
    // Content scrolled out of its list is not overlapped.
    for (const one of placed)
      for (let at = one.element.parentElement; at; at = at.parentElement)
        if (getComputedStyle(at).overflowY !== 'visible') {
          const box = at.getBoundingClientRect()
          const [top, bottom] = [Math.max(one.box.top, box.top), Math.min(one.box.bottom, box.bottom)]
          one.box = new DOMRect(one.box.x, top, one.box.width, Math.max(0, bottom - top))
        }
    for (const [at, one] of placed.entries())
      for (const other of placed.slice(at + 1)) {
        if (one.layer !== other.layer || one.element.contains(other.element) || one.element.closest('svg, label')?.contains(other.element))
          continue
        if (other.box.top > one.box.bottom || one.element.closest(SCROLLS) !== other.element.closest(SCROLLS)) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        // A field contains its buttons; links of one text are on consecutive lines.
        if (
          across > 2 &&
          down > 2 &&
          !/^(INPUT|SELECT|TEXTAREA)$/.test(one.element.tagName) &&
          getComputedStyle(one.element).display !== 'inline'
        )
          found.add(`${nameOf(one.element)} lies on ${nameOf(other.element)}`)
      }
    return [...found]
  })
