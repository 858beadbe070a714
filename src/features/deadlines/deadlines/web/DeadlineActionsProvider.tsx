import { VisuallyHidden } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { Problem } from '../../../../contract/problem.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { showSaved } from '../../../../platform/web/form/show-saved.ts'
import { formatSearch, useSearchParams } from '../../../../platform/web/search-params.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import type { Deadline, DeadlineChange } from '../contract.ts'
import { type DeadlineActionHandlers, DeadlineActionsContext } from './deadline-actions.ts'
import { AssignDialog, DeadlineDialog, NoteDialog, PutOffDialog } from './DeadlineDialog.tsx'
import { DeadlineHistoryDrawer } from './DeadlineHistoryDrawer.tsx'
import { changeDeadline, reloadDeadlines } from './queries.ts'
import { useDeadlineCounts } from './use-deadline-counts.ts'

type OpenDialog = { readonly deadline: Deadline; readonly type: 'put off' | 'assign' | 'note' | 'edit' | 'history' }

const DIALOGS = {
  'put off': PutOffDialog,
  assign: AssignDialog,
  note: NoteDialog,
  edit: DeadlineDialog,
  history: DeadlineHistoryDrawer,
} as const

/** Wraps everything that shows deadlines with their actions. */
export const DeadlineActionsProvider = ({ children }: { children: ReactNode }) => {
  const { data: counts } = useDeadlineCounts()
  const me = counts?.me ?? null
  const mayManage = useCan('manage deadlines')
  const [{ view: _view, ...filters }] = useSearchParams()
  const search = formatSearch(filters)
  const [changed, setChanged] = useState<ReadonlyMap<string, { readonly deadline: Deadline; readonly search: string }>>(new Map())
  const [busyId, setBusyId] = useState<string | null>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [announcement, setAnnouncement] = useState('')

  const keep = useCallback(
    (deadline: Deadline) => setChanged((before) => new Map(before).set(deadline._id, { deadline, search })),
    [search],
  )
  const changedHere = useMemo(
    () => new Map([...changed].filter(([, one]) => one.search === search).map(([_id, { deadline }]) => [_id, deadline])),
    [changed, search],
  )
  const send = useCallback(
    async (deadline: Deadline, change: DeadlineChange, words: string): Promise<Deadline | null> => {
      setBusyId(deadline._id)
      try {
        const saved = await changeDeadline(deadline, change)
        if (saved) keep(saved)
        setAnnouncement(`${words}: ${deadline.title}`)
        return saved
      } catch (error) {
        const isStale = error instanceof Problem && error.status === 412
        if (isStale) void reloadDeadlines()
        showError(
          isStale ? `“${deadline.title}” was changed by someone else in the meantime. It is shown as it is now.` : errorMessage(error),
        )
        return null
      } finally {
        setBusyId(null)
      }
    },
    [keep],
  )

  const actions = useMemo((): DeadlineActionHandlers => {
    const open = (type: OpenDialog['type']) => (deadline: Deadline) => setDialog({ type, deadline })
    return {
      me,
      mayManage,
      mayAct: ({ responsible }) => mayManage || (me !== null && responsible?._id === me),
      changedHere,
      busyId,
      confirm: async (deadline, date) => {
        const saved = await send(deadline, { confirmed: true, date }, 'Confirmed')
        if (saved)
          showSuccess({
            text: `${deadline.title}: ${formatDay(date)} was confirmed.`,
            onUndo: () => void send(saved, { date: null }, 'To confirm again'),
          })
      },
      handle: (deadline) => void send(deadline, { state: 'handled' }, 'Handled'),
      undo: (deadline) => void send(deadline, { state: 'open' }, 'Open again'),
      putOff: open('put off'),
      assign: open('assign'),
      addNote: open('note'),
      showHistory: open('history'),
      edit: open('edit'),
    }
  }, [me, mayManage, changedHere, busyId, send])
  const Dialog = dialog && DIALOGS[dialog.type]

  return (
    <DeadlineActionsContext value={actions}>
      {children}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {dialog && Dialog ? (
        <Dialog
          key={dialog.deadline._id}
          deadline={dialog.deadline}
          onSaved={(saved) => {
            if (saved && changedHere.has(saved._id)) keep(saved)
            setDialog(null)
            if (saved) showSaved()
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </DeadlineActionsContext>
  )
}
