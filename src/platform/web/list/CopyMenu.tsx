import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { memo, useEffect, useState } from 'react'

import { formatCount, type Noun } from '../../../contract/format.ts'
import { showError } from '../error-banner.ts'
import { listUniqueTexts, formatTable } from './columns.ts'
import type { Column } from './columns.ts'
import { ListMenu } from './ListMenu.tsx'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListTools.module.css'

/** A property of each record that can be copied, one per line. */
export interface CopyOption<T> {
  /** The singular and plural of the noun. */
  readonly noun: Noun
  readonly getText: (record: T) => string | null
}

/** How long the button shows what was copied. */
const CONFIRMATION_MS = 3000

interface CopyMenuProps<T> {
  shown: readonly T[]
  columns: readonly Column<T>[]
  copies: readonly CopyOption<T>[]
}

const Menu = <T,>({ shown, columns, copies }: CopyMenuProps<T>) => {
  const [isOpen, setOpen] = useState(false)
  const [confirmation, setConfirmation] = useState('')
  useEffect(() => {
    const timer = confirmation ? setTimeout(() => setConfirmation(''), CONFIRMATION_MS) : undefined
    return () => clearTimeout(timer)
  }, [confirmation])

  const copy = async (text: string, what: string) => {
    setOpen(false)
    try {
      await navigator.clipboard.writeText(text)
      setConfirmation(`Copied ${what}`)
    } catch {
      // Browsers block the clipboard on insecure pages and if the user denied permission.
      showError('Your browser does not allow copying from this page.')
    }
  }
  return (
    <>
      <ListMenu
        label="Copy"
        confirmation={confirmation}
        icon={confirmation ? IconCheck : IconCopy}
        isDisabled={shown.length === 0}
        isOpen={isOpen}
        onToggle={setOpen}
      >
        {isOpen
          ? copies
              .map(({ noun, getText }) => ({ noun, texts: listUniqueTexts(shown, getText) }))
              .map(({ noun, texts }) => (
                <button
                  key={noun[1]}
                  type="button"
                  className={`${layoutClasses.option} ${layoutClasses.hoverable} ${textClasses.bodyFont} ${classes.entry}`}
                  disabled={texts.length === 0}
                  onClick={() => void copy(texts.join('\n'), formatCount(texts.length, noun))}
                >
                  Copy {texts.length === 0 ? `${noun[1]}: none in this list` : formatCount(texts.length, noun)}
                </button>
              ))
          : null}
        <button
          type="button"
          className={`${layoutClasses.option} ${layoutClasses.hoverable} ${textClasses.bodyFont} ${classes.entry}`}
          onClick={() => void copy(formatTable(shown, columns), `a table of ${formatCount(shown.length, 'row')}`)}
        >
          Copy as a table
        </button>
      </ListMenu>
      <VisuallyHidden aria-live="polite">{confirmation}</VisuallyHidden>
    </>
  )
}

/** Copies a property of all listed records to the clipboard. */
export const CopyMenu = memo(Menu) as typeof Menu
