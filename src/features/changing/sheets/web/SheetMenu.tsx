import { Button, Loader, Modal, Portal } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'

import type { QueryOf } from '../../../../contract/call.ts'
import { formatCount } from '../../../../contract/format.ts'
import { SHEETS, type SheetKind } from '../../../../contract/sheets.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { ButtonPanel } from '../../../../platform/web/kit/ButtonPanel.tsx'
import type { EditableList, EditInExcelProps } from '../../../../platform/web/list/edit-in-excel.ts'
import { EditInExcelButton } from '../../../../platform/web/list/EditInExcelButton.tsx'
import type { downloadSheet } from '../contract.ts'
import { listSheets } from '../rules.ts'
import { DropField } from './DropField.tsx'
import { FileButton } from './FileButton.tsx'
import { downloadSheetFile, type RefusedFile, type SheetUpload, useSheetUpload } from './queries.ts'
import { SheetDrop } from './SheetDrop.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetMenu.module.css'

interface RefusedFileWindowProps {
  readonly refused: RefusedFile
  readonly onFile: (file: File) => void
  readonly onClose: () => void
}

/** Why a file could not be compared, with buttons to download a new one or choose another one. */
const RefusedFileWindow = ({ refused: { kind, name, message }, onFile, onClose }: RefusedFileWindowProps) => (
  <Modal opened onClose={onClose} title="This file cannot be compared" size={480}>
    <p className={`${textClasses.note} ${layoutClasses.breakable}`}>{name}</p>
    <p role="alert" className={textClasses.paragraph}>
      {message}
    </p>
    <div className={`${layoutClasses.wrappingRow} ${layoutClasses.atEnd} ${layoutClasses.topMargin20} ${classes.actions}`}>
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
      <FileButton label="Another file" onFiles={([file]) => onFile(file)}>
        {(choose) => (
          <Button leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} data-autofocus onClick={choose}>
            Choose another file
          </Button>
        )}
      </FileButton>
    </div>
  </Modal>
)

type SheetQuery = QueryOf<typeof downloadSheet>

/** The rows and columns that a list shows. */
const toSheetQuery = (
  kind: SheetKind,
  { request: { list, of, filters, search, sort, group } }: EditableList,
  columns: readonly string[] | undefined,
): SheetQuery => ({
  ...filters,
  list,
  of,
  search: search || undefined,
  sort,
  group,
  columns: SHEETS[kind].hasColumnsOfList ? columns?.join(',') : undefined,
})

const Step = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <section className={classes.step} aria-label={`${number}. ${title}`}>
    <h2 className={`${layoutClasses.row} ${textClasses.bodyFont} ${classes.title}`}>
      <span className={`${layoutClasses.rigid} ${textClasses.smallerFont} ${layoutClasses.sunkenGround} ${classes.number}`}>{number}</span>
      {title}
    </h2>
    {children}
  </section>
)

interface DownloadsProps {
  readonly kind: SheetKind
  readonly list: EditableList
  readonly columns: readonly string[] | undefined
  readonly onDownload: (query?: SheetQuery) => void
}

/** The rows of the list, and all rows. */
const Downloads = ({ kind, list, columns, onDownload }: DownloadsProps) => {
  const { hasRowsOfList, hasColumnsOfList, label } = SHEETS[kind]
  const { noun, shown, total } = list
  const hasColumns = columns !== undefined && hasColumnsOfList
  const isPart = hasRowsOfList && shown.length > 0 && (shown.length !== total || hasColumns)
  const allLabel = hasRowsOfList ? (total === undefined ? `All ${noun[1]}` : `All ${formatCount(total, noun)}`) : `All ${label}`
  return (
    <>
      {isPart ? (
        <button
          type="button"
          className={`${layoutClasses.option} ${layoutClasses.row} ${classes.entry}`}
          onClick={() => onDownload(toSheetQuery(kind, list, columns))}
        >
          <IconFileSpreadsheet size={18} stroke={1.75} aria-hidden />
          <span>
            <strong>{shown.length === 1 ? `This ${noun[0]}` : `These ${formatCount(shown.length, noun)}`}</strong>
            <span className={`${textClasses.caption} ${classes.about}`}>
              {hasColumns ? 'The rows and columns shown' : 'With the filters you have set'}
            </span>
          </span>
        </button>
      ) : null}
      <button type="button" className={`${layoutClasses.option} ${layoutClasses.row} ${classes.entry}`} onClick={() => onDownload()}>
        <IconFileSpreadsheet size={18} stroke={1.75} aria-hidden />
        <span>
          <strong>{allLabel}</strong>
          <span className={`${textClasses.caption} ${classes.about}`}>Every column you may change</span>
        </span>
      </button>
    </>
  )
}

/** Shows that a file is being read, or why it could not be read. */
export const UploadState = ({ upload, onFile }: { upload: SheetUpload; onFile: (file: File) => void }) => (
  <>
    <Portal>
      <div role="status" className={upload.reading === undefined ? undefined : classes.reading}>
        {upload.reading === undefined ? null : (
          <>
            <Loader size={20} aria-hidden />
            Reading {upload.reading} …
          </>
        )}
      </div>
    </Portal>
    {upload.refused ? (
      <RefusedFileWindow
        refused={upload.refused}
        onFile={(file) => {
          upload.forget()
          onFile(file)
        }}
        onClose={upload.forget}
      />
    ) : null}
  </>
)

const NO_LEVEL = Infinity

const formatKinds = (kinds: readonly SheetKind[]): string => {
  const [first = '', ...others] = kinds.map((kind) => SHEETS[kind].label)
  const last = others.pop()
  const words = [first, ...others].join(', ') + (last === undefined ? '' : ` or ${last}`)
  return words.charAt(0) + words.slice(1).toLowerCase().replaceAll('sis ', 'SIS ')
}

const Menu = ({ kinds, list, columns }: EditInExcelProps & { kinds: readonly [SheetKind, ...SheetKind[]] }) => {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [kind, setKind] = useState(kinds[0])
  const upload = useSheetUpload(kinds)
  const id = useId()
  const download = async (query?: SheetQuery) => {
    setOpen(false)
    setBusy(true)
    await downloadSheetFile(kind, query)
    setBusy(false)
  }
  const read = (file: File) => {
    setOpen(false)
    void upload.read(kind, file)
  }
  return (
    <>
      <ButtonPanel
        isOpen={isOpen}
        onToggle={setOpen}
        label="Edit in Excel"
        className={`${layoutClasses.scrolling} ${classes.panel}`}
        width={392}
        button={<EditInExcelButton isDisabled={isBusy || upload.reading !== undefined} onClick={() => setOpen(!isOpen)} />}
      >
        <Step number={1} title="Download">
          {kinds.length > 1 ? (
            <fieldset className={`${layoutClasses.wrappingRow} ${layoutClasses.positioned} ${classes.kinds}`}>
              <legend className={layoutClasses.visuallyHidden}>Sheet</legend>
              {kinds.map((one) => (
                <label
                  key={one}
                  className={`${layoutClasses.positioned} ${textClasses.smallerFont} ${layoutClasses.pressable} ${classes.kind}`}
                >
                  <input
                    type="radio"
                    name={id}
                    className={layoutClasses.visuallyHidden}
                    checked={kind === one}
                    onChange={() => setKind(one)}
                  />
                  {SHEETS[one].label}
                </label>
              ))}
            </fieldset>
          ) : null}
          <Downloads kind={kind} list={list} columns={columns} onDownload={(query) => void download(query)} />
        </Step>
        <Step number={2} title="Change it in Excel and save it">
          <p className={`${textClasses.caption} ${classes.note}`}>Gray columns cannot be changed. Sort all columns together.</p>
        </Step>
        <Step number={3} title="Upload it">
          <DropField onFiles={([file]) => read(file)} />
        </Step>
      </ButtonPanel>
      <SheetDrop about={`${formatKinds(kinds)}, .xlsx or .csv`} onFiles={([file]) => read(file)} />
      <UploadState upload={upload} onFile={read} />
    </>
  )
}

/** Downloads the records of a list as a sheet to edit, and uploads the changed sheet. */
export const SheetMenu = (props: EditInExcelProps) => {
  const [first, ...others] = listSheets(useUser()?.accessLevel ?? NO_LEVEL, props.list.kind)
  return first === undefined ? null : <Menu kinds={[first, ...others]} {...props} />
}
