import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ImportSteps.module.css'

export const STEPS = ['file', 'columns', 'values', 'changes', 'done'] as const
export type Step = (typeof STEPS)[number]
const LABELS: Readonly<Record<Step, string>> = { file: 'File', columns: 'Columns', values: 'Values', changes: 'Changes', done: 'Done' }

interface ImportStepsProps {
  readonly step: Step
  /** The import; before a file is chosen there is none. */
  readonly id?: string
}

/** The five steps of an import. Earlier ones are links, as long as nothing is saved. */
export const ImportSteps = ({ step, id }: ImportStepsProps) => {
  const current = STEPS.indexOf(step)
  return (
    <nav aria-label="Steps">
      <ol className={`${layoutClasses.wrappingRow} ${classes.steps}`}>
        {STEPS.map((one, at) => {
          const label = (
            <>
              {at < current ? <IconCheck size={15} stroke={2} aria-label="Done:" role="img" /> : null}
              {at + 1} {LABELS[one]}
            </>
          )
          const className = `${layoutClasses.inlineRow} ${textClasses.dimmed} ${textClasses.unbroken} ${classes.step}`
          return (
            <li key={one} {...(one === step ? { 'aria-current': 'step' as const } : {})}>
              {id !== undefined && at < current && step !== 'done' ? (
                one === 'file' ? (
                  <Link to="/import" className={className}>
                    {label}
                  </Link>
                ) : (
                  <Link to="/import/$id" params={{ id }} search={{ step: one } as never} className={className}>
                    {label}
                  </Link>
                )
              ) : (
                <span className={className}>{label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
