import { type ReactNode, useState } from 'react'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** The files that a sheet can be. */
const SHEET_FILES = '.xlsx,.csv'

/** One or more files. */
export type Files = readonly [File, ...File[]]
export const toFiles = (list: Iterable<File> | null | undefined): Files | undefined => {
  const [first, ...others] = list ?? []
  return first && [first, ...others]
}

export interface FileButtonProps {
  readonly label: string
  readonly accept?: string
  /** Whether several files can be chosen together. */
  readonly isMultiple?: boolean
  readonly onFiles: (files: Files) => void
  readonly children: (choose: () => void) => ReactNode
}

/** Lets the user choose files on their device. */
export const FileButton = ({ label, accept = SHEET_FILES, isMultiple = false, onFiles, children }: FileButtonProps) => {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={setInput}
        type="file"
        accept={accept}
        multiple={isMultiple}
        aria-label={label}
        tabIndex={-1}
        className={layoutClasses.visuallyHidden}
        onChange={({ currentTarget }) => {
          const files = toFiles(currentTarget.files)
          // The same file can be chosen again after it was changed.
          currentTarget.value = ''
          if (files) onFiles(files)
        }}
      />
      {children(() => input?.click())}
    </>
  )
}
