import { Button } from '@mantine/core'
import { IconEqual, IconFileSpreadsheet, IconUpload } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { formatCount, type Noun } from '../../../../contract/format.ts'
import { findPage } from '../../../../contract/pages.ts'
import { LIST_PAGES } from '../../../../contract/records.ts'
import { SHEETS, getSheetNoun } from '../../../../contract/sheets.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { BarWords, BottomBar, KeptHint, PageWithBar, SaveButton } from '../../../../platform/web/kit/BottomBar.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import type { SheetPreview } from '../contract.ts'
import { listSheets, PASTED_CELLS } from '../rules.ts'
import { FileButton } from './FileButton.tsx'
import { FindingChips, SHOWN, type Shown } from './FindingChips.tsx'
import { useSheetPreview, useSheetUpload } from './queries.ts'
import { SavingWindow } from './SavingWindow.tsx'
import { formatSummary, type Summary } from './sheet-choices.ts'
import { type LoadsFields, SheetFieldsContext } from './sheet-fields.ts'
import { SheetDrop } from './SheetDrop.tsx'
import { SheetFindings } from './SheetFindings.tsx'
import { UploadState } from './SheetMenu.tsx'
import { useSaving } from './use-saving.ts'
import { goToCell, useSheetKeys } from './use-sheet-keys.ts'
import { WarningBands } from './WarningBands.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetPage.module.css'

interface SheetBarProps {
  readonly summary: Summary
  readonly noun: Noun
  readonly hasChosen: boolean
  readonly isSaving: boolean
  readonly onGo: (cell: string) => void
  readonly onCancel: () => void
  readonly onSave: () => void
}

/** What saving will do, what is left out, Cancel and Save. Save is never disabled: it goes to the first cell that needs a decision. */
const SheetBar = ({ summary, noun, hasChosen, isSaving, onGo, onCancel, onSave }: SheetBarProps) => {
  const [left] = summary.errors
  return (
    <BottomBar>
      <BarWords>
        <Parts>
          <strong>{formatSummary(summary, noun)}</strong>
          {summary.keptTheirs > 0 ? <span>{formatCount(summary.keptTheirs, ['conflict keeps', 'conflicts keep'])} theirs</span> : null}
          {left ? (
            <span>
              <TextButton
                isUnderlined
                onClick={() => {
                  onGo(left.cell)
                  requestAnimationFrame(() => goToCell(left.cell))
                }}
              >
                {formatCount(summary.errors.length, 'error')} left out
              </TextButton>
            </span>
          ) : null}
          {hasChosen ? <KeptHint>Kept on this device until you save</KeptHint> : null}
        </Parts>
      </BarWords>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <SaveButton loading={isSaving} onClick={onSave}>
        {summary.total === 0 ? 'Save' : `Save ${formatCount(summary.total, 'change')}`}
      </SaveButton>
    </BottomBar>
  )
}

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
        <FileButton label="Another sheet" onFile={onFile}>
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

const UNCHANGED = ['row is unchanged', 'rows are unchanged'] as const

const Check = ({ preview }: { preview: SheetPreview }) => {
  const { kind } = preview
  const noun = getSheetNoun(kind)
  const navigate = useNavigate()
  const [{ show }, change] = useSearchParams()
  const shown: Shown = SHOWN.find((one) => one === show) ?? 'all'
  const upload = useSheetUpload(listSheets(useUser()?.accessLevel ?? Infinity))
  const read = (file: File) => void upload.read(kind, file)
  const saving = useSaving(preview)
  const { choosing, findings, summary, notice } = saving
  useEffect(registerOpenForm, [])
  const onShow = (next: Shown) => change({ show: next === 'all' ? undefined : next })
  useSheetKeys(() => saving.save(() => onShow('all')))
  const isNothing = preview.cells.length === 0
  return (
    <PageWithBar>
      <Head preview={preview} onFile={read} />
      {notice ? (
        <Notice tone={notice.isStop ? 'off' : 'bad'} live>
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
      <WarningBands preview={preview} used={choosing.chosen.used} onUse={choosing.acceptWarning} />
      {isNothing ? (
        <EmptyState icon={IconEqual} title="Nothing is different">
          <p>
            {preview.unchanged > 0 ? `${formatCount(preview.unchanged, UNCHANGED)}. ` : ''}
            Nothing to save.
          </p>
        </EmptyState>
      ) : (
        <div className={classes.chips}>
          <FindingChips preview={preview} findings={findings} shown={shown} onShow={onShow} />
        </div>
      )}
      <SheetFindings preview={preview} saving={saving} shown={shown} />
      {shown === 'unchanged' ? <p className={textClasses.note}>{formatCount(preview.unchanged, UNCHANGED)} and left as they are.</p> : null}
      {isNothing ? null : (
        <SheetBar
          summary={summary}
          noun={noun}
          hasChosen={saving.hasChosen}
          isSaving={saving.isSaving}
          onGo={() => onShow('all')}
          onCancel={() => void navigate({ to: LIST_PAGES[SHEETS[kind].list] })}
          onSave={() => saving.save(() => onShow('all'))}
        />
      )}
      {saving.isSaving ? (
        <SavingWindow progress={saving.progress} count={saving.count} isStopping={saving.isStopping} onStop={saving.stop} />
      ) : null}
      <SheetDrop about={`Sheet ${SHEETS[kind].label}`} onFile={read} />
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
