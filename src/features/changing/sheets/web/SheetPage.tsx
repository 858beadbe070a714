import { Button } from '@mantine/core'
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'

import { formatMoment } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import { findPage } from '../../../../contract/pages.ts'
import { LIST_PAGES } from '../../../../contract/records.ts'
import { SHEETS, getSheetNoun } from '../../../../contract/sheets.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { PageWithBar } from '../../../../platform/web/kit/BottomBar.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import type { SheetPreview } from '../contract.ts'
import { listSheets, PASTED_CELLS } from '../rules.ts'
import { CheckChanges } from './CheckChanges.tsx'
import { FileButton } from './FileButton.tsx'
import { useSheetPreview, useSheetUpload } from './queries.ts'
import { type LoadsFields, SheetFieldsContext } from './sheet-fields.ts'
import { SheetDrop } from './SheetDrop.tsx'
import { UploadState } from './SheetMenu.tsx'
import { useSaving } from './use-saving.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetPage.module.css'

const BackToList = ({ kind }: { kind: SheetPreview['kind'] }) => {
  const to = LIST_PAGES[SHEETS[kind].list]
  return <BackLink to={to} label={findPage(to)?.name ?? 'List'} />
}

const Head = ({ preview, onFile }: { preview: SheetPreview; onFile: (file: File) => void }) => {
  const { fileName, rows, newRows, downloadedAt, kind } = preview
  const { label } = SHEETS[kind]
  const noun = getSheetNoun(kind)
  const facts = [
    fileName,
    label,
    formatCount(rows + newRows, noun),
    downloadedAt && `downloaded ${formatMoment(downloadedAt, configuration.timeZone)}`,
  ]
  return (
    <header className={`${layoutClasses.spreadRow} ${layoutClasses.bottomMargin16} ${classes.head}`}>
      <div>
        <BackToList kind={kind} />
        <h1 tabIndex={-1}>Check the changes</h1>
        <p className={`${layoutClasses.topRow} ${textClasses.dimmed} ${layoutClasses.gap6} ${classes.facts}`}>
          <IconFileSpreadsheet size={18} stroke={1.75} aria-hidden />
          <Parts>
            {facts.filter(Boolean).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
            <strong>nothing is saved yet</strong>
          </Parts>
        </p>
      </div>
      {fileName === PASTED_CELLS ? null : (
        <FileButton label="Another sheet" onFiles={([file]) => onFile(file)}>
          {(choose) => (
            <Button variant="default" leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} onClick={choose}>
              Choose another file
            </Button>
          )}
        </FileButton>
      )}
    </header>
  )
}

const Check = ({ preview }: { preview: SheetPreview }) => {
  const { kind } = preview
  const navigate = useNavigate()
  const upload = useSheetUpload(listSheets(useUser()?.accessLevel ?? Infinity))
  const read = (file: File) => void upload.read(kind, file)
  const saving = useSaving(preview)
  return (
    <PageWithBar>
      <Head preview={preview} onFile={read} />
      <CheckChanges preview={preview} saving={saving} onCancel={() => void navigate({ to: LIST_PAGES[SHEETS[kind].list] })} />
      <SheetDrop about={`Sheet ${SHEETS[kind].label}, .xlsx or .csv`} onFiles={([file]) => read(file)} />
      <UploadState upload={upload} onFile={read} />
    </PageWithBar>
  )
}

/** A sheet that is already saved, so there is nothing left to do here. */
const Saved = ({ preview }: { preview: SheetPreview }) => {
  const changeset = preview.progress.changeset?._id
  return (
    <>
      <BackToList kind={preview.kind} />
      <EmptyState icon={IconFileSpreadsheet} title="This file is saved" isPage>
        <p>
          {preview.fileName}.{' '}
          {changeset === undefined ? null : (
            <TextLink to="/changes/$id" params={{ id: changeset }} search={{ sheet: preview._id }}>
              See what changed
            </TextLink>
          )}
        </p>
      </EmptyState>
    </>
  )
}

/** `/sheets/$id`: what an uploaded sheet changes, cell by cell, and the choices before it is saved. */
export const SheetPage = ({ WithFields }: LoadsFields) => {
  const { id = '' } = useParams({ strict: false })
  const query = useSheetPreview(id)
  useTitle(query.data && `Check ${query.data.fileName}`)
  return (
    <LoadedRecord query={query} what="preview" back={<BackLink to="/locations" label="Resource Centers" />} skeleton={<RowSkeleton />}>
      {(preview) =>
        preview.progress.state === 'saved' ? (
          <Saved preview={preview} />
        ) : (
          <WithFields kind={preview.kind}>
            {(fields) => (
              <SheetFieldsContext value={fields}>
                <Check key={preview._id} preview={preview} />
              </SheetFieldsContext>
            )}
          </WithFields>
        )
      }
    </LoadedRecord>
  )
}
