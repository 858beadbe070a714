import { Button } from '@mantine/core'
import { useState } from 'react'

import type { PlannedChange } from '../contract.ts'
import { PlannedRow } from './PlannedRow.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './public/PlannedChangesCard.module.css'

interface PlannedRowsProps {
  plans: readonly PlannedChange[]
  /** The record of this page, whose rows do not repeat its name. */
  record?: string
  /** Whether the rows show their day; false below a heading that shows it. */
  hasDay?: boolean
}

/** The number of rows shown for changes that were planned together; the others are shown on request. */
const ROWS_AT_FIRST = 3

/** Changes that were planned together. */
const Batch = ({ plans, record, hasDay }: PlannedRowsProps) => {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen || plans.length <= ROWS_AT_FIRST + 1 ? plans : plans.slice(0, ROWS_AT_FIRST)
  return (
    <>
      {shown.map((plan) => (
        <PlannedRow key={plan._id} plan={plan} hasRecord={plan.record._id !== record} hasDay={hasDay} />
      ))}
      {shown.length < plans.length ? (
        <li className={`${layoutClasses.lineAbove} ${classes.more}`}>
          <Button variant="default" onClick={() => setOpen(true)}>
            Show {(plans.length - shown.length).toLocaleString('en-US')} more planned together
          </Button>
        </li>
      ) : null}
    </>
  )
}

export const groupBy = (plans: readonly PlannedChange[], key: 'day' | 'batch') => {
  const groups = new Map<string, PlannedChange[]>()
  for (const plan of plans) groups.set(plan[key], [...(groups.get(plan[key]) ?? []), plan])
  return [...groups]
}

/** Planned changes, with those that were planned together below each other. */
export const PlannedRows = ({ plans, ...props }: PlannedRowsProps) => (
  <ul>
    {groupBy(plans, 'batch').map(([batch, together]) => (
      <Batch key={batch} plans={together.toSorted((a, b) => a.record.name.localeCompare(b.record.name))} {...props} />
    ))}
  </ul>
)
