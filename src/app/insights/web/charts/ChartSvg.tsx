import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'

import { toLinkProps } from '../link.ts'
import { estimateWidth } from './layout.ts'

import classes from './Charts.module.css'

/** A value of a picture that the keyboard and the pointer reach. */
export interface Spot {
  /** Its place in the order of the arrow keys: the series, and the value in it. */
  readonly row: number
  readonly column: number
  readonly x: number
  readonly y: number
  /** What is spoken and shown: 'Nov 2026, Texas: 49 sites'. */
  readonly text: string
  /** The shape that has the focus; a dot without it. */
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** The list behind it, as a path of the app, and its day if that is another one. */
  readonly link?: string | null | undefined
  readonly on?: string
}

interface ChartSvgProps {
  readonly label: string
  readonly width: number
  readonly height: number
  readonly spots: readonly Spot[]
  readonly children: ReactNode
}

const toKey = ({ row, column }: Spot): string => `${row} ${column}`

/** How far from a value the pointer may be. */
const REACH = 40

const TOOLTIP_HEIGHT = 26
const Tooltip = ({ spot: { x, y, text }, width }: { spot: Spot; width: number }) => {
  const size = Math.min(estimateWidth(text) + 20, width)
  const left = Math.min(Math.max(x - size / 2, 0), width - size)
  const top = y > TOOLTIP_HEIGHT + 12 ? y - TOOLTIP_HEIGHT - 10 : y + 12
  return (
    <g className={classes.tooltip} aria-hidden data-picture="no" transform={`translate(${left} ${top})`}>
      <rect width={size} height={TOOLTIP_HEIGHT} rx={6} />
      <text x={size / 2} y={17} textAnchor="middle">
        {text}
      </text>
    </g>
  )
}

/** The next value for an arrow key: along the series, or to the series beside it at about the same place. */
const findNext = (key: string, spots: readonly Spot[], from: Spot): Spot | undefined => {
  const along = spots.filter(({ row }) => row === from.row).toSorted((a, b) => a.column - b.column)
  if (key === 'Home') return along[0]
  if (key === 'End') return along.at(-1)
  if (key === 'ArrowLeft' || key === 'ArrowRight') return along[along.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)]
  const rows = [...new Set(spots.map(({ row }) => row))].toSorted((a, b) => a - b)
  const row = rows[rows.indexOf(from.row) + (key === 'ArrowDown' ? 1 : -1)]
  const beside = spots.filter((spot) => spot.row === row)
  return beside.toSorted((a, b) => Math.abs(a.column - from.column) - Math.abs(b.column - from.column))[0]
}

const KEYS = new Set(['Home', 'End', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** The frame of every picture: one tab stop, arrow keys from value to value, each with its name; the pointer shows the nearest value. */
export const ChartSvg = ({ label, width, height, spots, children }: ChartSvgProps) => {
  const svg = useRef<SVGSVGElement>(null)
  const hint = useId()
  const [at, setAt] = useState<string>()
  const [shown, setShown] = useState<string>()
  const stop = spots.some((spot) => toKey(spot) === at)
    ? at
    : spots[0] && toKey(spots.findLast(({ row }) => row === spots[0]?.row) ?? spots[0])
  const open = spots.find((spot) => toKey(spot) === shown)

  const move = (event: KeyboardEvent, from: Spot) => {
    if (event.key === 'Escape') setShown(undefined)
    if (!KEYS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    // A picture of one column is read from top to bottom with either pair of arrows.
    const isColumn = spots.every(({ column }) => column === 0)
    const key = isColumn ? (({ ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' } as const)[event.key] ?? event.key) : event.key
    const next = isColumn && key === 'Home' ? spots[0] : isColumn && key === 'End' ? spots.at(-1) : findNext(key, spots, from)
    if (next) svg.current?.querySelector<SVGElement>(`[data-spot="${toKey(next)}"]`)?.focus()
  }
  const point = ({ clientX, clientY }: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect()
    if (!box) return
    const [x, y] = [clientX - box.left, clientY - box.top]
    const distance = (spot: Spot): number => {
      if (!spot.box) return Math.hypot(spot.x - x, spot.y - y)
      const { box: area } = spot
      return Math.hypot(Math.max(area.x - x, 0, x - area.x - area.width), Math.max(area.y - y, 0, y - area.y - area.height))
    }
    const nearest = spots.toSorted((a, b) => distance(a) - distance(b))[0]
    setShown(nearest && distance(nearest) <= REACH ? toKey(nearest) : undefined)
  }

  return (
    <>
      <svg
        ref={svg}
        role="group"
        aria-label={label}
        aria-describedby={hint}
        data-chart
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setShown(undefined)}
      >
        <g aria-hidden>{children}</g>
        {spots.map((spot) => {
          const key = toKey(spot)
          const shape = spot.box ? <rect {...spot.box} rx={4} /> : <circle cx={spot.x} cy={spot.y} r={5} />
          const props = {
            'data-spot': key,
            'data-shown': key === shown || undefined,
            className: classes.spot,
            tabIndex: key === stop ? 0 : -1,
            'aria-label': spot.text,
            onFocus: () => {
              setAt(key)
              setShown(key)
            },
            onBlur: () => setShown(undefined),
            onKeyDown: (event: KeyboardEvent) => move(event, spot),
          }
          return spot.link ? (
            <Link key={key} {...toLinkProps(spot.link, spot.on)} {...props}>
              {shape}
            </Link>
          ) : (
            <g key={key} role="img" {...props}>
              {shape}
            </g>
          )
        })}
        {open ? <Tooltip spot={open} width={width} /> : null}
      </svg>
      <p id={hint} hidden>
        Use the arrow keys to move between the values.
      </p>
    </>
  )
}
