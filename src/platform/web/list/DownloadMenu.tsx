import { IconDownload } from '@tabler/icons-react'
import { memo, useState } from 'react'

import { ListMenu } from './ListMenu.tsx'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListTools.module.css'

const FORMATS = [
  { format: 'xlsx', label: 'Excel workbook (.xlsx)' },
  { format: 'csv', label: 'CSV (.csv)' },
] as const

/** Downloads the listed records in one of the two formats. */
export type DownloadAs = (format: (typeof FORMATS)[number]['format']) => Promise<void>

interface DownloadMenuProps {
  isEmpty: boolean
  onDownload: DownloadAs
}

/** Downloads the list as shown. */
export const DownloadMenu = memo(({ isEmpty, onDownload }: DownloadMenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const download = async (format: Parameters<DownloadAs>[0]) => {
    setOpen(false)
    setBusy(true)
    await onDownload(format)
    setBusy(false)
  }
  return (
    <ListMenu label="Download list" icon={IconDownload} needsNetwork isDisabled={isEmpty || isBusy} isOpen={isOpen} onToggle={setOpen}>
      {FORMATS.map(({ format, label }) => (
        <button
          key={format}
          type="button"
          className={`${layoutClasses.option} ${layoutClasses.hoverable} ${textClasses.bodyFont} ${classes.entry}`}
          onClick={() => void download(format)}
        >
          {label}
        </button>
      ))}
    </ListMenu>
  )
})
DownloadMenu.displayName = 'DownloadMenu'
