import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'

import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { FileButton, type FileButtonProps } from './FileButton.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DropField.module.css'

interface DropFieldProps extends Partial<Pick<FileButtonProps, 'label' | 'accept' | 'isMultiple'>>, Pick<FileButtonProps, 'onFiles'> {
  readonly note?: string
}

/** The area where files can be dropped or chosen; the page takes what is dropped. */
export const DropField = ({ label = 'Sheet', note = 'You see every change before anything is saved.', ...button }: DropFieldProps) => {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
  }
  const [files, them] = button.isMultiple ? ['files', 'them'] : ['the file', 'it']
  return (
    <div
      className={`${layoutClasses.grid} ${layoutClasses.railGround} ${textClasses.centeredText} ${classes.dropZone}`}
      data-over={isOver || undefined}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconUpload size={20} stroke={1.75} aria-hidden />
      <p>
        <strong>Drop {files} here</strong> or{' '}
        <FileButton label={label} {...button}>
          {(choose) => (
            <TextButton isUnderlined onClick={choose}>
              choose {them}
            </TextButton>
          )}
        </FileButton>
      </p>
      <p className={textClasses.caption}>{note}</p>
    </div>
  )
}
