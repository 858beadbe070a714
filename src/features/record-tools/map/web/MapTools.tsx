import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import classes from './SitesMap.module.css'

interface MapToolsProps {
  canZoomIn: boolean
  canZoomOut: boolean
  onZoomIn: () => void
  onZoomOut: () => void
  onWhole: () => void
  onPoint: (name: string | null) => void
}

/** Zoom buttons. A button without effect stays focusable, so that the focus is not lost. */
export const MapTools = ({ canZoomIn, canZoomOut, onZoomIn, onZoomOut, onWhole, onPoint }: MapToolsProps) => {
  const tools: readonly [label: string, key: string, icon: Icon, can: boolean, does: () => void][] = [
    ['Zoom in', '+', IconPlus, canZoomIn, onZoomIn],
    ['Zoom out', '-', IconMinus, canZoomOut, onZoomOut],
    ['Show whole map', '0', IconZoomReset, canZoomOut, onWhole],
  ]
  return (
    <div className={classes.tools} role="group" aria-label="Zoom">
      {tools.map(([label, key, ToolIcon, can, does]) => (
        <button
          key={label}
          type="button"
          className={classes.tool}
          aria-label={label}
          aria-disabled={!can}
          onClick={() => {
            if (can) does()
          }}
          onPointerEnter={() => onPoint(`${label} (key ${key})`)}
          onPointerLeave={() => onPoint(null)}
        >
          <ToolIcon size={18} stroke={1.75} aria-hidden />
        </button>
      ))}
    </div>
  )
}
