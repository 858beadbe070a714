import { DEADLINE_KINDS, KIND_NAMES } from '../../../../contract/deadlines.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './Legend.module.css'

/** The meaning of the icons; in the year view also of the lines. */
export const Legend = ({ hasLines = false }: { hasLines?: boolean }) => (
  <ul className={`${layoutClasses.toolbar} ${textClasses.smallerFont} ${classes.legend}`} aria-label="Signs">
    {KIND_NAMES.map((kind) => (
      <li key={kind}>
        <DeadlineIcon kind={kind} size={18} />
        {DEADLINE_KINDS[kind].name}
      </li>
    ))}
    {hasLines ? (
      <>
        <li className={classes.line}>
          <svg width={26} height={8} aria-hidden>
            <line x1={0} x2={26} y1={4} y2={4} className={classes.term} />
          </svg>
          Term
        </li>
        <li>
          <svg width={26} height={8} aria-hidden>
            <line x1={0} x2={26} y1={4} y2={4} className={classes.none} />
          </svg>
          No term yet
        </li>
      </>
    ) : null}
    <li>
      <DeadlineIcon kind="petition" state="handled" size={18} />
      Handled
    </li>
    {hasLines ? (
      <li className={classes.overdue}>
        <DeadlineIcon kind="petition" isOverdue size={16} />
        Overdue
      </li>
    ) : null}
  </ul>
)
