import { Modal } from '@mantine/core'
import { Fragment } from 'react'

import { closeShortcutList, useShortcutGroups } from '../shortcuts.ts'
import { useReturnFocus } from './use-return-focus.ts'

import layoutClasses from './Layout.module.css'
import classes from './ShortcutsDialog.module.css'
import textClasses from './Text.module.css'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)
/** 'Ctrl S' as two keys, in the notation of this platform. 'Page Up' is one. */
const toKeys = (written: string): string[] => {
  const [first = '', ...rest] = written.split(' ')
  if (rest.length === 0 || first === 'Page') return [written]
  return [first === 'Ctrl' && IS_MAC ? '⌘' : first, ...rest]
}

/** The keyboard shortcuts of every page, and of what the current one shows. */
export const ShortcutsDialog = () => {
  useReturnFocus()
  return (
    <Modal opened onClose={closeShortcutList} title="Keyboard shortcuts" size={460}>
      {useShortcutGroups().map(({ title, shortcuts, note }) => (
        <Fragment key={title}>
          <h3 className={layoutClasses.topMargin16}>{title}</h3>
          <dl>
            {Object.values(shortcuts).map(({ keys, does }) => (
              <div key={does} className={`${layoutClasses.lineBelow} ${layoutClasses.row} ${classes.line}`}>
                <dt className={`${layoutClasses.rigidFlex} ${classes.shortcut}`}>
                  {keys.map((written, at) => (
                    <Fragment key={written}>
                      {at > 0 ? ' or ' : null}
                      {toKeys(written).map((key) => (
                        <kbd key={key} className={`${textClasses.textColor} ${textClasses.centeredText} ${classes.key}`}>
                          {key}
                        </kbd>
                      ))}
                    </Fragment>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          {note ? <p className={`${textClasses.caption} ${layoutClasses.topMargin8}`}>{note}</p> : null}
        </Fragment>
      ))}
    </Modal>
  )
}
