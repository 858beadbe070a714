import { type ReactNode, useState } from 'react'

import { formatDay } from '../../../contract/dates.ts'
import { DayInput } from '../../../platform/web/form/DayInput.tsx'
import { usePlan } from '../../../platform/web/record-features.tsx'
import { getToday } from '../../../platform/web/today.ts'
import type { Site } from '../../sites/contract.ts'

interface StaffDay {
  /** The field for the day; null for users who may not plan changes. */
  readonly field: ReactNode
  /** Why the change cannot be saved for that day. */
  readonly obstacle: string | null
  readonly isValid: boolean
  /** Plans people to add or remove; null if the day is today. */
  readonly plan: ((people: { readonly add: readonly string[] } | { readonly remove: readonly string[] }) => Promise<unknown>) | null
}

/** From which day someone gets or loses a role at a site. */
export const useStaffDay = ({ _id }: Site, role: string): StaffDay => {
  const plan = usePlan({ kind: 'site', _id })
  const [today] = useState(getToday)
  const [day, setDay] = useState(today)
  const path = `roles.${role}`
  // A plan holds all people of the role, so a second one would undo the first.
  const [planned] = (day > today && plan?.coming[path]) || []
  const obstacle = planned
    ? `A change of this role is already planned for ${formatDay(planned.day)}. Cancel it first under Planned changes.`
    : null
  return {
    field: plan ? <DayInput value={day} today={today} onChange={setDay} /> : null,
    obstacle,
    isValid: obstacle === null && day >= today,
    plan: plan && day > today ? (people) => plan.send({ [path]: people }, day) : null,
  }
}
