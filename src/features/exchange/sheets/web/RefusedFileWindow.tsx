import { Button, Modal } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'

import { SHEETS } from '../../../../contract/sheets.ts'
import { FileButton } from './FileButton.tsx'
import { type RefusedFile, downloadSheetFile } from './queries.ts'

import classes from './SheetMenu.module.css'

interface RefusedFileWindowProps {
  readonly refused: RefusedFile
  readonly onFile: (file: File) => void
  readonly onClose: () => void
}

/** Why a file could not be compared, with buttons to download a new one or choose another one. */
export const RefusedFileWindow = ({ refused: { kind, name, message }, onFile, onClose }: RefusedFileWindowProps) => (
  <Modal opened onClose={onClose} title="This file cannot be compared" size={480}>
    <p className={classes.refusedName}>{name}</p>
    <p role="alert">{message}</p>
    <div className={classes.actions}>
      <Button
        variant="default"
        leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
        onClick={() => {
          onClose()
          void downloadSheetFile(kind)
        }}
      >
        Download {SHEETS[kind].label}
      </Button>
      <FileButton label="Another file" onFile={onFile}>
        {(choose) => (
          <Button leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} data-autofocus onClick={choose}>
            Choose another file
          </Button>
        )}
      </FileButton>
    </div>
  </Modal>
)
