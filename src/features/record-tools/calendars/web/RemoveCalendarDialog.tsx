import { useMutation } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { type Calendar, deleteCalendar } from '../contract.ts'
import { invalidateCalendars } from './queries.ts'

import classes from './CalendarWindow.module.css'

/** Asks before a calendar feed is removed. */
export const RemoveCalendarDialog = ({ calendar: { _id, name }, onClose }: { calendar: Calendar; onClose: () => void }) => {
  const removing = useMutation({
    mutationFn: () => withSignIn(() => send(deleteCalendar, { params: { id: _id } })),
    onSuccess: () => {
      showSuccess({ text: `The calendar feed ${name} was removed.` })
      invalidateCalendars()
      onClose()
    },
  })
  return (
    <Dialog
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      isDestructive
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p className={classes.text}>
        The address stops working right away. Calendar apps remove its events or keep the last version they downloaded.
      </p>
    </Dialog>
  )
}
