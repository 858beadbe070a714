import { IconCurrencyDollar, IconEye, IconFileText, IconFlag, IconGavel, IconKey, IconStar } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import type { DeadlineKind } from '../../../../contract/deadlines.ts'
import type { DeadlineState } from '../contract.ts'

import classes from './DeadlineIcon.module.css'

/** The outline of a kind in a square of 24, and the size and center of the icon inside. */
interface IconShape {
  readonly outline: string
  readonly icon: Icon | null
  readonly iconSize: number
  readonly middle: number
}

/** A seal: a circle with twelve rounded points. */
const SEAL = `M${Array.from({ length: 24 }, (_, at) => {
  const radius = at % 2 === 0 ? 11 : 8.8
  const angle = (at * Math.PI) / 12
  return `${(12 + radius * Math.sin(angle)).toFixed(2)} ${(12 - radius * Math.cos(angle)).toFixed(2)}`
}).join('L')}Z`
const CIRCLE = 'M12 2a10 10 0 0 1 0 20a10 10 0 0 1 0 -20Z'

const SHAPES: Readonly<Record<DeadlineKind, IconShape>> = {
  charter_term: { outline: 'M6 1.5h12a1 1 0 0 1 1 1V22.5l-7-4.5l-7 4.5V2.5a1 1 0 0 1 1-1Z', icon: IconFlag, iconSize: 11, middle: 9.5 },
  petition: {
    outline: 'M5.5 2.5h13a3 3 0 0 1 3 3v13a3 3 0 0 1-3 3h-13a3 3 0 0 1-3-3v-13a3 3 0 0 1 3-3Z',
    icon: IconFileText,
    iconSize: 14,
    middle: 12,
  },
  oversight: { outline: CIRCLE, icon: IconEye, iconSize: 14, middle: 12 },
  accreditation: { outline: SEAL, icon: IconStar, iconSize: 12, middle: 12 },
  funding: { outline: 'M12 1.2L22.8 12L12 22.8L1.2 12Z', icon: IconCurrencyDollar, iconSize: 13, middle: 12 },
  dass: { outline: 'M12 2L22.8 21.2H1.2Z', icon: null, iconSize: 8, middle: 15 },
  board_meeting: { outline: CIRCLE, icon: IconGavel, iconSize: 13, middle: 12 },
  lease: { outline: 'M12 1.4L22.6 10.6H20.5V21.8H3.5V10.6H1.4Z', icon: IconKey, iconSize: 12, middle: 14 },
}

const LETTER_D = 'M10 11.2h1.6a3.4 3.4 0 0 1 0 6.8h-1.6Z'

interface DeadlineIconProps {
  readonly kind: DeadlineKind
  readonly state?: DeadlineState
  readonly isOverdue?: boolean
  /** In pixels, at least 16. The ring of an overdue one is drawn around it. */
  readonly size?: number
}

/** The icon of a deadline kind, recognizable by its outline alone. Handled ones are empty with a check mark; overdue ones have a red ring. */
export const DeadlineIcon = ({ kind, state = 'open', isOverdue = false, size = 20 }: DeadlineIconProps) => {
  const { outline, icon: Inside, iconSize, middle } = SHAPES[kind]
  const corner = { x: 12 - iconSize / 2, y: middle - iconSize / 2 }
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} className={classes.frame} data-kind={kind} data-state={state} aria-hidden>
      {isOverdue ? <circle cx={12} cy={12} r={17} className={classes.ring} /> : null}
      <path d={outline} className={classes.halo} />
      <path d={outline} className={classes.outline} />
      {state === 'handled' ? (
        <path d={`M7.8 ${middle + 0.2}l2.8 2.8l5.6-5.6`} className={classes.inside} />
      ) : Inside ? (
        <Inside {...corner} size={iconSize} stroke={(24 / iconSize) * 1.5} className={classes.icon} />
      ) : (
        <path d={LETTER_D} className={classes.inside} />
      )}
    </svg>
  )
}
