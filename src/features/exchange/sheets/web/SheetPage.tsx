import { Button } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowRight,
  IconArrowsSplit2,
  IconDownload,
  IconEqual,
  IconFileSpreadsheet,
  IconPencil,
  IconPlus,
  IconUpload,
} from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Fragment, useEffect } from 'react'

import { formatMomentDay, formatMomentTime } from '../../../../contract/dates.ts'
import { findPage } from '../../../../contract/pages.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { Tick } from '../../../../platform/web/list/Tick.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { useUser } from '../../../access/session/web/queries.ts'
import type { SheetPreview } from '../contract.ts'
import { formatCount, listSheets, SHEETS_OF_LISTS } from '../rules.ts'
import { ChangeRows, NewRow } from './ChangeRows.tsx'
import { ConflictRow } from './ConflictRow.tsx'
import { ErrorRow } from './ErrorRow.tsx'
import { FileButton } from './FileButton.tsx'
import { FindingChips, SHOWN, type Shown } from './FindingChips.tsx'
import { saveMarkedSheet, useSheetPreview, useSheetUpload } from './queries.ts'
import { SavingWindow } from './SavingWindow.tsx'
import { type LoadsFields, SheetFieldsContext } from './sheet-fields.ts'
import { SheetBar } from './SheetBar.tsx'
import { SheetDrop } from './SheetDrop.tsx'
import { UploadState } from './SheetMenu.tsx'
import { SheetSection } from './SheetSection.tsx'
import { useSaving } from './use-saving.ts'
import { useSheetKeys } from './use-sheet-keys.ts'
import { WarningBands } from './WarningBands.tsx'

import classes from './SheetPage.module.css'

/** The lists that sheets belong to. */
const LISTS = { site: '/locations', person: '/leadership', charter: '/charters', brand: '/brand' } as const

const BackToList = ({ kind }: { kind: SheetPreview['kind'] }) => {
  const to = LISTS[SHEETS_OF_LISTS[kind].list]
  return <BackLink to={to} label={findPage(to)?.name ?? 'List'} />
}

const formatMoment = (at: string): string =>
  `${formatMomentDay(at, configuration.timeZone)} ${formatMomentTime(at, configuration.timeZone)}`

const Head = ({ preview, onFile }: { preview: SheetPreview; onFile: (file: File) => void }) => {
  const { fileName, rows, newRows, downloadedAt, kind } = preview
  const { noun, label } = SHEETS_OF_LISTS[kind]
  const facts = [label, formatCount(rows + newRows, noun), downloadedAt && `downloaded ${formatMoment(downloadedAt)}`]
  return (
    <header className={classes.head}>
      <div>
        <BackToList kind={kind} />
        <h1 tabIndex={-1}>Check the changes</h1>
        <p className={classes.facts}>
          <IconFileSpreadsheet size={18} stroke={1.75} aria-hidden />
          <span className={classes.fileName}>{fileName}</span>
          {facts.filter(Boolean).map((fact) => (
            <span key={fact} className={classes.part}>
              {fact}
            </span>
          ))}
          <strong className={classes.part}>nothing is saved yet</strong>
        </p>
      </div>
      <FileButton label="Another sheet" onFile={onFile}>
        {(choose) => (
          <Button variant="default" leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} onClick={choose}>
            Choose another file
          </Button>
        )}
      </FileButton>
    </header>
  )
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const UNCHANGED = ['row is unchanged', 'rows are unchanged'] as const

const Check = ({ preview }: { preview: SheetPreview }) => {
  const { sheet, kind } = preview
  const { noun } = SHEETS_OF_LISTS[kind]
  const navigate = useNavigate()
  const [{ show }, change] = useSearchParams()
  const shown: Shown = SHOWN.find((one) => one === show) ?? 'all'
  const upload = useSheetUpload(listSheets(useUser()?.accessLevel ?? Infinity))
  const read = (file: File) => void upload.read(kind, file)
  const saving = useSaving(preview)
  const { choosing, findings, summary, judge, notice } = saving
  const { chosen, choose } = choosing
  useEffect(registerOpenForm, [])
  const onShow = (next: Shown) => change({ show: next === 'all' ? undefined : next })
  useSheetKeys(() => saving.save(() => onShow('all')))
  const has = (section: Shown) => shown === 'all' || shown === section
  const changed = findings.changes.flatMap(({ cells }) => cells)
  const left = changed.filter(({ cell }) => chosen.cells[cell] === 'leave')
  const isNothing = preview.cells.length === 0
  return (
    <div className={classes.page}>
      <Head preview={preview} onFile={read} />
      {notice ? (
        <Notice tone="bad" live>
          <div>
            <p>{notice.text}</p>
            {notice.problems.length > 0 ? (
              <>
                <ul className={classes.problems}>
                  {notice.problems.slice(0, 10).map(({ path, message }) => (
                    <li key={`${path} ${message}`}>
                      <code>{path}</code> {message}
                    </li>
                  ))}
                </ul>
                <Button size="compact-md" fz="0.875rem" variant="default" onClick={saving.leaveProblems}>
                  {notice.problems.length === 1 ? 'Leave it out' : `Leave these ${notice.problems.length} out`}
                </Button>
              </>
            ) : null}
          </div>
        </Notice>
      ) : null}
      <WarningBands preview={preview} used={chosen.used} onUse={choosing.acceptWarning} />
      {isNothing ? (
        <EmptyState icon={IconEqual} title="Nothing is different">
          <p>
            {preview.unchanged > 0 ? `${formatCount(preview.unchanged, UNCHANGED)}. ` : ''}
            Nothing to save.
          </p>
        </EmptyState>
      ) : (
        <FindingChips preview={preview} findings={findings} shown={shown} onShow={onShow} />
      )}
      {has('errors') ? (
        <SheetSection
          id="errors"
          layout="errors"
          icon={<IconAlertCircle size={20} stroke={1.75} aria-hidden data-tone="bad" />}
          title={formatCount(findings.errors.length, ['error', 'errors'])}
          about="Fix them here, or leave them out. A cell with an error is never saved."
          tools={
            <Button
              size="compact-md"
              fz="0.875rem"
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
              onClick={() => void saveMarkedSheet(preview._id, 'all')}
            >
              Download with comments
            </Button>
          }
          heads={[capitalize(noun[0]), 'Field', 'In the file', 'Fix']}
          rows={findings.errors}
          getKey={({ cell }, at) => `${cell} ${at}`}
        >
          {(cell) => (
            <ErrorRow
              sheet={sheet}
              cell={cell}
              choice={chosen.cells[cell.cell]}
              judge={judge}
              onChoose={(choice) => choose([cell.cell], choice)}
            />
          )}
        </SheetSection>
      ) : null}
      {has('conflicts') ? (
        <SheetSection
          id="conflicts"
          layout="conflicts"
          icon={<IconArrowsSplit2 size={20} stroke={1.75} aria-hidden data-tone="wait" />}
          title={formatCount(findings.conflicts.length, ['conflict', 'conflicts'])}
          about="Someone changed the same cell after you downloaded the file. Choose one."
          heads={[capitalize(noun[0]), 'Field', 'Theirs, saved now', 'Yours, in the file']}
          rows={findings.conflicts}
          getKey={({ cell }) => cell}
        >
          {(cell) => (
            <ConflictRow
              sheet={sheet}
              cell={cell}
              choice={chosen.cells[cell.cell]}
              judge={judge}
              onChoose={(choice) => choose([cell.cell], choice)}
            />
          )}
        </SheetSection>
      ) : null}
      {has('changes') ? (
        <SheetSection
          id="changes"
          layout="changes"
          icon={<IconPencil size={20} stroke={1.75} aria-hidden />}
          title={`${formatCount(changed.length, ['change', 'changes'])} on ${formatCount(findings.changes.length, noun)}`}
          mark={
            <Tick
              label="Save all changes"
              checked={left.length === 0}
              isMixed={left.length > 0 && left.length < changed.length}
              onTick={() =>
                choose(
                  changed.map(({ cell }) => cell),
                  left.length === 0 ? 'leave' : undefined,
                )
              }
            />
          }
          heads={[
            capitalize(noun[0]),
            'Field',
            <Fragment key="values">
              Now <IconArrowRight size={13} stroke={1.75} /> New
            </Fragment>,
          ]}
          rows={findings.changes}
          getKey={({ row }) => row}
        >
          {(record) => <ChangeRows sheet={sheet} record={record} chosen={chosen} onChoose={choose} />}
        </SheetSection>
      ) : null}
      {has('new') ? (
        <SheetSection
          id="new"
          layout="changes"
          icon={<IconPlus size={20} stroke={1.75} aria-hidden />}
          title={formatCount(findings.newRows.length, [`new ${noun[0]}`, `new ${noun[1]}`])}
          heads={[capitalize(noun[0]), '', '']}
          rows={findings.newRows}
          getKey={({ row }) => row}
        >
          {(record) => {
            const isLeft = chosen.leftRows.includes(record.row)
            return (
              <NewRow
                sheet={sheet}
                record={record}
                isLeft={isLeft}
                held={!isLeft && summary.heldRows.has(record.row) ? 'Fix its errors first; without that the row is left out.' : undefined}
                onLeave={(isLeaving) => choosing.leaveRow(record.row, isLeaving)}
              />
            )
          }}
        </SheetSection>
      ) : null}
      {shown === 'unchanged' ? <p className={classes.note}>{formatCount(preview.unchanged, UNCHANGED)} and left as they are.</p> : null}
      {isNothing ? null : (
        <SheetBar
          summary={summary}
          noun={noun}
          hasChosen={saving.hasChosen}
          isSaving={saving.isSaving}
          onGo={() => onShow('all')}
          onCancel={() => void navigate({ to: LISTS[SHEETS_OF_LISTS[kind].list] })}
          onSave={() => saving.save(() => onShow('all'))}
        />
      )}
      {saving.isSaving ? (
        <SavingWindow progress={saving.progress} count={saving.count} isStopping={saving.isStopping} onStop={saving.stop} />
      ) : null}
      <SheetDrop about={`Sheet ${SHEETS_OF_LISTS[kind].label}`} onFile={read} />
      <UploadState upload={upload} onFile={read} />
    </div>
  )
}

/** A sheet that was saved already: nothing of it is left to do here. */
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
