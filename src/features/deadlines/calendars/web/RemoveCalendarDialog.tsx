import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { type Calendar, deleteCalendar } from '../contract.ts'
import { invalidateCalendars } from './queries.ts'

/** Asks before a calendar feed is removed. */
export const RemoveCalendarDialog = ({ calendar: { _id, name }, onClose }: { calendar: Calendar; onClose: () => void }) => (
  <SendingDialog
    title={`Remove ${name}?`}
    confirmLabel="Remove"
    isDestructive
    onSend={() => send(deleteCalendar, { params: { id: _id } })}
    onSent={() => {
      showSuccess({ text: `The calendar feed ${name} was removed.` })
      invalidateCalendars()
      onClose()
    }}
    onClose={onClose}
  >
    <p>The address stops working right away. Calendar apps remove its events or keep the last version they downloaded.</p>
  </SendingDialog>
)
