import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** The width and height of an element in pixels; zeros until it is mounted. */
export const useSize = (of: RefObject<HTMLElement | null>): readonly [width: number, height: number] => {
  const [size, setSize] = useState<readonly [number, number]>([0, 0])
  useLayoutEffect(() => {
    const element = of.current
    if (!element) return undefined
    const measure = () =>
      setSize((before) => {
        const next = [element.clientWidth, element.clientHeight] as const
        return before[0] === next[0] && before[1] === next[1] ? before : next
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return size
}
