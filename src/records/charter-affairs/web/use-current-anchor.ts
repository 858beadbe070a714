import { useEffect, useState } from 'react'

/**
 * The anchor of the section in view: the last one above the reading line. At the end of the page, where the line cannot reach the last sections, it
 * is the anchor in the URL if that is visible, otherwise the last one.
 */
export const useCurrentAnchor = (anchors: readonly string[]): string | undefined => {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      setCurrent(findCurrentAnchor(anchors))
    }
    const later = () => {
      frame ||= requestAnimationFrame(look)
    }
    later()
    window.addEventListener('scroll', later, { passive: true, capture: true })
    window.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', later, { capture: true })
      window.removeEventListener('resize', later)
    }
  }, [anchors])
  return current !== undefined && anchors.includes(current) ? current : anchors[0]
}

const findCurrentAnchor = (anchors: readonly string[]): string | undefined => {
  const tops = anchors.flatMap((anchor) => {
    const top = document.getElementById(anchor)?.getBoundingClientRect().top
    return top === undefined ? [] : [{ anchor, top }]
  })
  const line = getReadingLine(anchors[0])
  const reached = tops.findLast(({ top }) => top <= line) ?? tops[0]
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement
  if (scrollTop === 0 || scrollTop + clientHeight < scrollHeight - 2) return reached?.anchor
  const requested = tops.find(({ anchor, top }) => `#${anchor}` === window.location.hash && top > 0 && top < clientHeight)
  return (requested ?? tops.at(-1))?.anchor
}

/** The line a heading has to be above: a little below where a link to it scrolls it, past the sticky bars. */
const getReadingLine = (anchor: string | undefined): number => {
  const target = document.getElementById(anchor ?? '')
  const margin = target ? Number.parseFloat(getComputedStyle(target).scrollMarginTop) : 0
  return (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0) + margin + 24
}
