import { Modal, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

import { useReturnFocus } from '../kit/use-return-focus.ts'
import { getLabel, type FieldsByPath } from './fields.ts'
import { FieldValueText } from './FieldValueText.tsx'
import type { Values } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ChangesDialog.module.css'

interface ChangesDialogProps {
  readonly title: string
  readonly changed: readonly string[]
  readonly fields: FieldsByPath
  readonly base: Values
  readonly values: Values
  readonly onClose: () => void
  readonly onUndo?: (path: string) => void
  /** Text below the list. */
  readonly about?: string
  /** The buttons. */
  readonly children: ReactNode
}

/** What was changed since the form was opened: old and new values. */
export const ChangesDialog = (props: ChangesDialogProps) => {
  const { title, changed, fields, base, values, onClose, onUndo, about, children } = props
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      <ul>
        {changed.map((path) => (
          <li key={path} className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${textClasses.smallFont} ${classes.change}`}>
            <span className={`${textClasses.strong} ${classes.label}`}>{getLabel(fields, path)}</span>
            <span className={`${layoutClasses.fillingColumn} ${layoutClasses.gap2}`}>
              <del className={textClasses.dimmed}>
                <FieldValueText field={fields[path]} value={base[path]} />
              </del>
              <ins className={classes.now}>
                <FieldValueText field={fields[path]} value={values[path]} />
              </ins>
            </span>
            {onUndo ? (
              <button type="button" className={`${textClasses.linkColor} ${classes.undo}`} onClick={() => onUndo(path)}>
                Undo<VisuallyHidden component="span"> {getLabel(fields, path)}</VisuallyHidden>
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {about ? <p className={`${textClasses.dimmed} ${layoutClasses.topMargin12}`}>{about}</p> : null}
      <div className={`${layoutClasses.buttons} ${layoutClasses.topMargin20}`}>{children}</div>
    </Modal>
  )
}
