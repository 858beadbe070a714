import { TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'

import { DAY_MS, formatDay, toIsoDay } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import { pastDay, toDay, useHasPast } from '../past-day.ts'
import { getToday } from '../today.ts'
import { Dialog } from './Dialog.tsx'
import { HeadAction } from './HeadAction.tsx'

const AsOfDialog = ({ onClose }: { onClose: () => void }) => {
  const [yesterday] = useState(() => toIsoDay(new Date(Date.now() - DAY_MS), configuration.timeZone))
  const [day, setDay] = useState(pastDay ?? yesterday)
  const [isWrong, setWrong] = useState(false)
  const show = () => (day !== '' && day < getToday() ? location.assign(toDay(location.href, day)) : setWrong(true))
  return (
    <Dialog
      title="Show a past day"
      confirmLabel={day ? `Show ${formatDay(day)}` : 'Show'}
      isBusy={false}
      error={null}
      onConfirm={show}
      onClose={onClose}
    >
      <TextInput
        label="As of the end of"
        required
        data-autofocus
        type="date"
        min="1900-01-01"
        max={yesterday}
        value={day}
        error={isWrong ? 'Choose a day before today' : null}
        onChange={({ currentTarget: { value } }) => {
          setWrong(false)
          setDay(value)
        }}
      />
      <p>Lists and records are shown as they were then, and links stay on that day. Nothing can be changed there.</p>
    </Dialog>
  )
}

/** Shows the page as it was on a past day, if it is one that can. */
export const AsOfAction = () => {
  const hasPast = useHasPast()
  const [isOpen, setOpen] = useState(false)
  return hasPast ? (
    <>
      <HeadAction icon={IconHistory} opensDialog isBrief onClick={() => setOpen(true)}>
        As Of…
      </HeadAction>
      {isOpen ? <AsOfDialog onClose={() => setOpen(false)} /> : null}
    </>
  ) : null
}
