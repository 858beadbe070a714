import { type ReactNode, useState } from 'react'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** The files that a sheet can be. */
const SHEET_FILES = '.xlsx,.csv'

interface FileButtonProps {
  readonly label: string
  readonly accept?: string
  readonly onFile: (file: File) => void
  readonly children: (choose: () => void) => ReactNode
}

/** Lets the user choose a sheet on their device. */
export const FileButton = ({ label, accept = SHEET_FILES, onFile, children }: FileButtonProps) => {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={setInput}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className={layoutClasses.visuallyHidden}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same file can be chosen again after it was changed.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      {children(() => input?.click())}
    </>
  )
}
