import { send } from '../../../../platform/web/client.ts'
import { ConfirmDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { type Calendar, deleteCalendar } from '../contract.ts'
import { invalidateCalendars } from './queries.ts'

/** Asks before a calendar feed is removed. */
export const RemoveCalendarDialog = ({ calendar: { _id, name }, onClose }: { calendar: Calendar; onClose: () => void }) => (
  <ConfirmDialog
    title={`Remove ${name}?`}
    confirmLabel="Remove"
    isDestructive
    onSend={() => send(deleteCalendar, { params: { id: _id } })}
    doneText={`The calendar feed ${name} was removed.`}
    reload={invalidateCalendars}
    onClose={onClose}
  >
    <p>The address stops working right away. Calendar apps remove its events or keep the last version they downloaded.</p>
  </ConfirmDialog>
)
