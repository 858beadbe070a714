import { Button, Progress, VisuallyHidden } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { DragEvent } from 'react'

import { toPictureUrl } from '../../../contract/fields.ts'
import { PICTURE_TYPES } from '../../../contract/pictures.ts'
import { errorMessage } from '../failures.ts'
import { RecordPhoto } from '../kit/RecordPhoto.tsx'
import type { FormField, CustomInputProps } from './fields.ts'
import { validateFile, isRejected, formatRefusal, uploadFile } from './upload-picture.ts'
import { useEditMode } from './use-edit-mode.ts'
import type { FieldValue } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './PictureField.module.css'

const UPLOAD_IN_PROGRESS = 'Please wait until the picture is uploaded'
/** File types for the file dialog. */
const ACCEPT = [...PICTURE_TYPES, '.ico'].join(',')

interface StrictProps {
  /** Whether a rejected picture blocks saving until another one is chosen. */
  readonly isStrict?: boolean
}

/** The picture of a record: chosen or dropped, previewed before it is saved, uploaded with progress. */
const PictureInput = ({ id, label, value, before, describedBy, onChange, onBlock, isStrict = false }: CustomInputProps & StrictProps) => {
  const { isSuggesting: isSuggested } = useEditMode()
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const picture = typeof value === 'string' && value !== '' ? value : null

  /** Cancels a running upload, because a later choice replaces it. */
  const stop = () => {
    running.current?.abort()
    running.current = undefined
    setProgress(null)
    onBlock(null)
  }
  const reject = (message: string) => {
    setError(message)
    if (isStrict) onBlock(message)
    // The rejected choice is cleared; the previous picture stays.
    onChange(before)
  }
  const upload = async (file: File | undefined) => {
    if (!file) return
    stop()
    const invalid = validateFile(file)
    if (invalid !== null) return reject(invalid)
    const controller = new AbortController()
    running.current = controller
    setError(null)
    setProgress(0)
    onBlock(UPLOAD_IN_PROGRESS)
    try {
      const _id = await uploadFile(file, { isSuggested, onProgress: setProgress, signal: controller.signal })
      if (running.current !== controller) return
      stop()
      onChange(_id)
    } catch (failure) {
      if (running.current !== controller) return
      stop()
      // A failed upload keeps the current value.
      if (isRejected(failure)) reject(formatRefusal(failure, errorMessage))
      else setError(errorMessage(failure))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void upload(event.dataTransfer.files[0])
  }

  return (
    <div
      className={`${layoutClasses.wrappingRow} ${classes.dropZone}`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={`${layoutClasses.rigid} ${classes.preview}`}>
        <RecordPhoto src={picture && toPictureUrl(picture)} name="this record" shape="16:9" />
      </div>
      <div className={classes.side}>
        <VisuallyHidden>
          <input
            ref={input}
            id={id}
            type="file"
            aria-label={label}
            accept={ACCEPT}
            tabIndex={-1}
            aria-describedby={describedBy}
            onChange={(event) => {
              void upload(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </VisuallyHidden>
        <div className={layoutClasses.wrappingRow}>
          <Button variant="default" leftSection={<IconPhotoUp size={17} stroke={1.75} />} onClick={() => input.current?.click()}>
            {picture ? 'Choose Another Picture' : 'Choose a Picture'}
          </Button>
          {picture ? (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={17} stroke={1.75} />}
              onClick={() => {
                stop()
                setError(null)
                onChange(null)
              }}
            >
              Remove Picture
            </Button>
          ) : null}
        </div>
        <p className={`${textClasses.caption} ${layoutClasses.topMargin8}`}>
          Or drop a picture here: .jpg, .jpeg, .png or .ico, at most 10 MB.
        </p>
        {progress === null ? null : (
          <>
            <Progress value={progress * 100} aria-label="Uploading picture" size="sm" />
            <p className={`${textClasses.caption} ${layoutClasses.topMargin8}`}>{Math.round(progress * 100)} % uploaded</p>
          </>
        )}
        {error === null ? null : (
          <p role="alert" className={`${textClasses.error} ${textClasses.smallFont} ${layoutClasses.topMargin8}`}>
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

const PicturePreview = ({ value }: { value: FieldValue }) => (
  <span className={`${layoutClasses.block} ${classes.photo}`}>
    <RecordPhoto src={typeof value === 'string' ? toPictureUrl(value) : null} name="this record" shape="16:9" />
  </span>
)

const StrictInput = (props: CustomInputProps) => <PictureInput {...props} isStrict />

/** A picture field for any form; a strict one blocks saving while the chosen file is rejected. */
export const pictureField = (label: string, isStrict = false): FormField => ({
  kind: 'own',
  label,
  span: 6,
  isGroup: true,
  Input: isStrict ? StrictInput : PictureInput,
  toText: (value) => (typeof value === 'string' && value !== '' ? 'a picture' : ''),
  Preview: PicturePreview,
})
