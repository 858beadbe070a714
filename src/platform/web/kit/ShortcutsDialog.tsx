import { Modal } from '@mantine/core'

import { useReturnFocus } from './use-return-focus.ts'

import layoutClasses from './Layout.module.css'
import classes from './ShortcutsDialog.module.css'
import textClasses from './Text.module.css'

/** The keys, and what each does. */
export type Shortcuts = readonly (readonly [keys: readonly string[], does: string])[]

interface ShortcutsDialogProps {
  readonly shortcuts: Shortcuts
  /** What is true of all of them. */
  readonly note?: string
  readonly onClose: () => void
}

/** The page's keyboard shortcuts. */
export const ShortcutsDialog = ({ shortcuts, note, onClose }: ShortcutsDialogProps) => {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={420}>
      <dl>
        {shortcuts.map(([keys, does]) => (
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
      {note ? <p className={`${textClasses.caption} ${layoutClasses.topMargin12}`}>{note}</p> : null}
    </Modal>
  )
}
