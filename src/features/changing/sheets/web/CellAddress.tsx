import { VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

/** A button that shows and copies a cell address, `Sites!F17`; in a file without sheets `F17`. */
export const CellAddress = ({ sheet, cell }: { sheet: string; cell: string }) => {
  const clipboard = useClipboard({ timeout: 1500 })
  const shown = sheet === '' ? cell : `${sheet}!${cell}`
  const name = /[^\w]/.test(sheet) ? `'${sheet}'!${cell}` : shown
  return (
    <span className={classes.addressCell}>
      <button
        type="button"
        className={`${layoutClasses.breakable} ${layoutClasses.inlineRow} ${textClasses.strong} ${classes.address}`}
        title="Copy"
        aria-label={`Copy ${name}`}
        onClick={() => clipboard.copy(name)}
      >
        {shown}
        {clipboard.copied ? <IconCheck size={13} stroke={2.5} aria-hidden /> : null}
      </button>
      <VisuallyHidden role="status">{clipboard.copied ? `Copied ${name}` : ''}</VisuallyHidden>
    </span>
  )
}
