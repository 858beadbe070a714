import { create } from 'qrcode'
import { useMemo } from 'react'

import classes from './QrCode.module.css'

/** The quiet zone around the code, in modules. */
const QUIET_ZONE = 4

/**
 * Renders a QR code as one SVG path, which is sharp at any size and in print. The lowest error correction is enough on a screen and gives
 * larger modules.
 */
const buildQrCode = (text: string): { across: number; path: string } => {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const rows = Array.from({ length: modules.size }, (_, y) => Array.from({ length: modules.size }, (_, x) => modules.get(y, x) !== 0))
  return {
    across: modules.size + 2 * QUIET_ZONE,
    path: rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : []))).join(''),
  }
}

/** A text as a QR code, which is black on white in the dark too, so that every camera reads it. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { across, path } = useMemo(() => buildQrCode(text), [text])
  return (
    <svg className={classes.code} viewBox={`0 0 ${across} ${across}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={across} height={across} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
