import { memo } from 'react'

import type { Shape, View } from './view.ts'

import classes from './SitesMap.module.css'

interface MapLandProps {
  view: View
  land: readonly Shape[]
  /** The names of the states drawn darker, one per line. */
  ours: string
  canOpen: boolean
  onRegion: (name: string) => void
}

/** The states, those of the network darker. Hidden from screen readers, because links lead to the same pages. */
export const MapLand = memo(({ view: { width, height, box }, land, ours, canOpen, onRegion }: MapLandProps) => {
  const names = new Set(ours.split('\n'))
  return (
    <svg className={classes.land} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <path
        d={land
          .filter(({ name }) => !names.has(name))
          .map(({ path }) => path)
          .join('')}
        className={classes.state}
      />
      {land
        .filter(({ name }) => names.has(name))
        .map(({ name, path }) => (
          <path key={name} d={path} className={classes.state} data-ours data-opens={canOpen || undefined} onClick={() => onRegion(name)} />
        ))}
      {box ? (
        <path
          className={classes.fill}
          fillRule="evenodd"
          d={`M-1 -1H${width + 1}V${height + 1}H-1ZM${box.left} ${box.top}H${box.right}V${box.bottom}H${box.left}Z`}
        />
      ) : null}
    </svg>
  )
})
MapLand.displayName = 'MapLand'
