import { useState } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { type Calendar, renewCalendarAddress } from '../contract.ts'
import type { GivenCalendar } from './CalendarAddress.tsx'
import { CalendarWindow } from './CalendarWindow.tsx'
import { invalidateCalendars } from './queries.ts'

/** Asks before the URL of a calendar feed is revoked, then shows the new one once. */
export const RenewAddress = ({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) => {
  const { _id, name, version, reminderDays } = calendar
  const [given, setGiven] = useState<GivenCalendar | null>(null)
  if (given) return <CalendarWindow title="Your new address" given={given} onClose={onClose} />
  return (
    <SendingDialog
      title={`New address for ${name}?`}
      confirmLabel="New address"
      focusesCancel
      onSend={() => send(renewCalendarAddress, { params: { id: _id }, version })}
      onSent={({ url, deadlines }) => {
        invalidateCalendars()
        setGiven({ name, url, deadlines, reminderDays })
      }}
      onClose={onClose}
    >
      <p>The old address stops working right away. Replace it with the new one in your calendar.</p>
    </SendingDialog>
  )
}
