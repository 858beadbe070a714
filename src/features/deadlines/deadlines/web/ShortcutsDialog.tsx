import { Modal } from '@mantine/core'

import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ShortcutsDialog.module.css'

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['1', '2', '3'], 'Agenda, month, year'],
  [['?'], 'This list'],
  [['↓', 'J'], 'Next deadline'],
  [['↑', 'K'], 'Previous deadline'],
  [['Home', 'End'], 'First or last deadline'],
  [['←', '→'], 'Previous or next mark of the year, or day of the month'],
  [['Page Up', 'Page Down'], 'Previous or next month'],
  [['T'], 'Today, in the month'],
  [['Enter'], 'Open the field it was read from'],
  [['C'], 'Confirm the proposed date'],
  [['H'], 'Handled'],
  [['P'], 'Put off'],
  [['A'], 'Assign'],
  [['U'], 'Undo: open again'],
]

/** The page's keyboard shortcuts. Letters act on the focused deadline. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={420}>
      <dl>
        {SHORTCUTS.map(([keys, does]) => (
          <div key={does} className={`${layoutClasses.lineBelow} ${layoutClasses.row} ${classes.line}`}>
            <dt className={`${layoutClasses.rigidFlex} ${classes.shortcut}`}>
              {keys.map((key) => (
                <kbd key={key} className={`${textClasses.textColor} ${textClasses.centeredText} ${classes.key}`}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={`${textClasses.caption} ${layoutClasses.topMargin12}`}>Letters act only on the deadline that has the focus.</p>
    </Modal>
  )
}
