import { TextInput } from '@mantine/core'
import { useState } from 'react'

import { formatDay, toIsoDay, DAY_MS } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import { Dialog } from '../kit/Dialog.tsx'

/** The next July 1, when a school year begins. */
const getNextSchoolYear = (today: string): string => {
  const july = `${today.slice(0, 4)}-07-01`
  return july > today ? july : `${Number(today.slice(0, 4)) + 1}-07-01`
}

interface PlanDialogProps {
  count: number
  onPlan: (day: string) => void
  onClose: () => void
}

/** Asks for the day on which the changes of a form take effect. */
export const PlanDialog = ({ count, onPlan, onClose }: PlanDialogProps) => {
  const [today] = useState(() => toIsoDay(new Date(), configuration.timeZone))
  const [tomorrow] = useState(() => toIsoDay(new Date(Date.now() + DAY_MS), configuration.timeZone))
  const [day, setDay] = useState(() => getNextSchoolYear(today))
  const [isWrong, setWrong] = useState(false)
  return (
    <Dialog
      title={count === 1 ? 'Save 1 change for a later day' : `Save ${count} changes for a later day`}
      confirmLabel={day ? `Save for ${formatDay(day)}` : 'Save'}
      isBusy={false}
      error={null}
      onConfirm={() => (day > today ? onPlan(day) : setWrong(true))}
      onClose={onClose}
    >
      <TextInput
        label="Effective date"
        required
        data-autofocus
        type="date"
        min={tomorrow}
        max="2199-12-31"
        value={day}
        error={isWrong ? 'Choose a later day' : null}
        onChange={(event) => {
          setWrong(false)
          setDay(event.currentTarget.value)
        }}
      />
      <p>
        The page stays as it is until then, and says what is coming. On that day the changes are saved in your name, by the rules of that
        day. If they no longer fit, you get an email.
      </p>
    </Dialog>
  )
}
