import { formatCount } from '../../../../contract/format.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { undoSaves, type UndoResult } from '../contract.ts'

type Undone = Pick<UndoResult, 'changed' | 'left'>

/** Undoes something, says what was restored and how much was not, and reloads what the page shows. */
export const runUndo = async (undo: () => Promise<Undone>, describe: (changed: number) => string): Promise<void> => {
  try {
    const { changed, left } = await withSignIn(undo)
    const unchangedNote = left.length === 0 ? '' : ` ${formatCount(left.length, 'value')} changed afterwards stayed.`
    showSuccess({ text: `${describe(changed)}${unchangedNote}` })
  } catch (error) {
    showError(errorMessage(error))
  }
  void queryClient.invalidateQueries()
}

/** Undoes what requests of the user have just saved. */
export const undoRequests = (saves: readonly string[]): Promise<void> =>
  runUndo(
    () => send(undoSaves, { body: { saves: [...saves] } }),
    (changed) => (changed === 0 ? 'Nothing was undone.' : 'Undone.'),
  )
