import { type ReactNode, useState } from 'react'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** The files that can be read. */
const ACCEPTED = '.xlsx,.csv'

interface FileButtonProps {
  readonly label: string
  readonly onFile: (file: File) => void
  readonly children: (choose: () => void) => ReactNode
}

/** Lets the user choose a sheet on their device. */
export const FileButton = ({ label, onFile, children }: FileButtonProps) => {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={setInput}
        type="file"
        accept={ACCEPTED}
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
