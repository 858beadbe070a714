import { Portal } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

import { type Files, toFiles } from './FileButton.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetDrop.module.css'

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

interface OverlayPosition {
  readonly left: number
  readonly width: number
}

/** Margin around the overlay. */
const MARGIN = 12

const measurePage = (): OverlayPosition => {
  const { left = 0, width = window.innerWidth } = document.querySelector('main')?.getBoundingClientRect() ?? {}
  return { left: left + MARGIN, width: width - 2 * MARGIN }
}

/** The position of the overlay while a file is dragged over the page; undefined once it is dropped, leaves the page, or Escape is pressed. */
const useDrop = (onFiles: (files: Files) => void) => {
  const [overlayPosition, setOverlayPosition] = useState<OverlayPosition>()
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    // Enter and leave events are fired for each element under the pointer.
    let depth = 0
    let isEscaped = false
    const end = () => {
      depth = 0
      isEscaped = false
      setOverlayPosition(undefined)
    }
    const onEnter = (event: DragEvent) => {
      if (!hasFile(event)) return
      depth += 1
      if (!isEscaped && document.querySelector('[role=dialog][aria-modal=true]') === null)
        setOverlayPosition((before) => before ?? measurePage())
    }
    const onOver = (event: DragEvent) => {
      if (hasFile(event)) event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      if (hasFile(event) && --depth <= 0) end()
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFile(event)) return
      // Otherwise the browser would open the file instead of the page.
      event.preventDefault()
      const files = toFiles(event.dataTransfer?.files)
      const isTaken = !isEscaped
      end()
      if (files && isTaken) latest.current(files)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || depth === 0) return
      isEscaped = true
      setOverlayPosition(undefined)
    }
    const stop = new AbortController()
    const { signal } = stop
    document.addEventListener('dragenter', onEnter, { signal })
    document.addEventListener('dragover', onOver, { signal })
    document.addEventListener('dragleave', onLeave, { signal })
    document.addEventListener('drop', onDrop, { signal })
    document.addEventListener('keydown', onKeyDown, { signal })
    return () => stop.abort()
  }, [])
  return overlayPosition
}

interface SheetDropProps {
  readonly about: string
  readonly onFiles: (files: Files) => void
}

/** Accepts files that are dropped anywhere on the page, and shows an overlay while they are dragged over it. */
export const SheetDrop = ({ about, onFiles }: SheetDropProps) => {
  const overlayPosition = useDrop(onFiles)
  return (
    <Portal>
      <div role="status" className={overlayPosition ? classes.overlay : undefined} style={overlayPosition}>
        {overlayPosition ? (
          <div className={`${textClasses.textColor} ${textClasses.centeredText} ${classes.card}`}>
            <span className={`${textClasses.ok} ${layoutClasses.sunkenGround} ${classes.tile}`}>
              <IconFileSpreadsheet size={28} stroke={1.75} aria-hidden />
            </span>
            <p className={classes.title}>Drop the file to see its changes</p>
            <p>{about}. Nothing is saved yet.</p>
          </div>
        ) : null}
      </div>
    </Portal>
  )
}
