import { IconAlertTriangle, IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react'

import { capitalize } from '../../../contract/format.ts'
import type { Finding } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Setup.module.css'

const MARKS = {
  right: { icon: IconCircleCheckFilled, word: 'Right', tone: textClasses.ok },
  wrong: { icon: IconAlertTriangle, word: 'Wrong', tone: textClasses.bad },
  note: { icon: IconInfoCircle, word: 'Note', tone: textClasses.dimmed },
} as const

/** Findings of the doctor, what is wrong first. */
export const Findings = ({ label, findings }: { label: string; findings: readonly Finding[] }) => {
  const order = Object.keys({ wrong: 0, note: 0, right: 0 } satisfies Record<Finding['state'], number>)
  const sorted = findings.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return (
    <ul aria-label={label} aria-live="polite">
      {sorted.map(({ what, state, words }) => {
        const { icon: Icon, word, tone } = MARKS[state]
        return (
          <li key={`${what} ${words}`} className={`${layoutClasses.topRow} ${layoutClasses.lineAbove} ${classes.finding}`}>
            <Icon size={18} className={tone} aria-label={word} role="img" />
            <span className={layoutClasses.breakable}>
              <strong>{what}:</strong> {capitalize(words)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
