import { IconPrinter } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { PrintLine } from '../../../platform/web/kit/PrintLine.tsx'
import { type PrintedColumn, PrintedTable } from '../../../platform/web/list/PrintedTable.tsx'
import { ToolButton } from '../../../platform/web/list/ToolButton.tsx'
import { useIsPrinting } from '../../../platform/web/print.ts'
import { getRecordKey, type ListedRecord } from './public/use-record-list.ts'

import textClasses from '../../../platform/web/kit/Text.module.css'

interface CallListButtonProps<T extends ListedRecord> {
  /** The title of the list. */
  readonly title: string
  /** Which records these are: '26 people with the role Principal'. */
  readonly about: string
  readonly columns: readonly PrintedColumn<T>[]
  readonly records: readonly T[]
  /** The list is shown as cards, which would fill many sheets: the browser's own Print prints the call list too. */
  readonly isAlways: boolean
}

/** Prints the listed records with what is needed to reach each of them. */
export const CallListButton = <T extends ListedRecord>({ title, about, columns, records, isAlways }: CallListButtonProps<T>) => {
  const isPrinting = useIsPrinting()
  const [isRequested, setRequested] = useState(false)
  useEffect(() => {
    if (!isRequested) return undefined
    const end = () => setRequested(false)
    addEventListener('afterprint', end)
    return () => removeEventListener('afterprint', end)
  }, [isRequested])
  return (
    <>
      <ToolButton
        icon={IconPrinter}
        data-print="no"
        isDisabled={records.length === 0}
        onClick={() => {
          setRequested(true)
          setTimeout(() => window.print())
        }}
      >
        Print call list
      </ToolButton>
      {isPrinting && (isRequested || isAlways) && records.length > 0
        ? createPortal(
            <section data-print="sheet">
              <h1 className={textClasses.sectionTitle}>{title}: Call list</h1>
              <PrintLine of={about} />
              <PrintedTable columns={columns} records={records} getKey={getRecordKey} />
            </section>,
            document.body,
          )
        : null}
    </>
  )
}
