import { Button, NativeSelect } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { type ImportType, readImportedCell } from '../../../../contract/import-values.ts'
import { IMPORTS, TABLE_KINDS } from '../../../../contract/imports.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { PageWithBar } from '../../../../platform/web/kit/BottomBar.tsx'
import { EmptyState, EmptyStateActions } from '../../../../platform/web/kit/EmptyState.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import type { SheetCell, SheetPreview } from '../contract.ts'
import { applyImport, type GivenMapping, type ImportPreview } from '../imports/contract.ts'
import { CheckChanges } from './CheckChanges.tsx'
import { useImportFiles, useImportPreview, useImportState, useMapping } from './import-queries.ts'
import { ImportColumns, ImportWords } from './ImportMapping.tsx'
import { ImportSteps, type Step } from './ImportSteps.tsx'
import { LeftOut } from './LeftOutCard.tsx'
import { useSheetPreview, useSheetSave } from './queries.ts'
import { type SheetFields, SheetFieldsContext } from './sheet-fields.ts'
import { useSaving } from './use-saving.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

const toSheetPreview = ({
  _id,
  kind,
  sheet,
  fileName,
  at,
  rows,
  unchanged,
  newRows,
  cells,
  warnings,
  progress,
  left,
}: ImportPreview): SheetPreview => ({
  _id,
  kind: IMPORTS[kind].sheet,
  sheet,
  fileName,
  at,
  rows,
  unchanged,
  newRows,
  downloadedAt: null,
  cells,
  warnings,
  progress,
  isImport: true,
  left,
})

/** The changes of an import, cell by cell. */
const Changes = ({ preview: given }: { preview: ImportPreview }) => {
  const navigate = useNavigate()
  const preview = useMemo(() => toSheetPreview(given), [given])
  const held = useMemo(() => new Set(given.held), [given])
  const saving = useSaving(preview, {
    apply: applyImport,
    isHolding: useCallback((cell: SheetCell) => held.has(cell.cell), [held]),
    onSaved: () => navigate({ to: '/import/$id', params: { id: given._id }, search: {}, replace: true }),
  })
  return <CheckChanges preview={preview} saving={saving} onCancel={() => void navigate({ to: '/import' })} />
}

const LoadedChanges = ({ state }: { state: ImportPreview }) => {
  const query = useImportPreview(state._id)
  const fields = useMemo(
    (): SheetFields => ({
      fields: {},
      findError: (path, value) => {
        const field = state.fields.find(({ key }) => key === path)
        if (!field || typeof value !== 'string' || value === '') return undefined
        const read = readImportedCell(field.type as ImportType, value, path)
        return 'message' in read ? read.message : undefined
      },
      toSent: (_path, value) => value,
    }),
    [state.fields],
  )
  return (
    <LoadedRecord query={query} what="preview" back={<BackLink to="/import" label="Import" />} skeleton={<RowSkeleton />}>
      {(preview) =>
        preview.kind === 'legacy' ? (
          <LegacyChanges preview={preview} />
        ) : (
          <SheetFieldsContext value={fields}>
            <Changes key={preview._id} preview={preview} />
          </SheetFieldsContext>
        )
      }
    </LoadedRecord>
  )
}

/** What the old program's folder would change: its records are compared as a whole. */
const LegacyChanges = ({ preview: { _id, counts, warnings } }: { preview: ImportPreview }) => {
  const saving = useSheetSave(_id, applyImport)
  return (
    <>
      <ul className={`${layoutClasses.stack} ${layoutClasses.bottomMargin16}`} aria-label="What the folder has">
        {warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <Button
        loading={saving.isPending}
        disabled={counts.new + counts.changed === 0}
        onClick={() => saving.mutate({ choices: {}, warningsAccepted: false }, { onError: (error) => showError(errorMessage(error)) })}
      >
        Save {formatCount(counts.new + counts.changed, 'record')}
      </Button>
    </>
  )
}

/** What an import saved, what it left out, and how to undo it. */
const Done = ({ state: { _id, progress } }: { state: ImportPreview }) => {
  const { data } = useSheetPreview(_id)
  const { data: files = [] } = useImportFiles()
  const next = files.find((file) => !file.isSaved && file._id !== _id)
  const changeset = progress.changeset?._id
  return (
    <>
      <EmptyState icon={IconCircleCheck} title={`${formatCount(progress.saved, 'row')} imported`}>
        <p>The import is saved as one, and can be undone as one.</p>
        <EmptyStateActions>
          {changeset === undefined ? null : (
            <TextLink to="/changes/$id" params={{ id: changeset }} search={{ sheet: _id }}>
              See what changed, or undo it
            </TextLink>
          )}
          {next === undefined ? null : (
            <TextLink to="/import/$id" params={{ id: next._id }}>
              Continue with {next.fileName}
            </TextLink>
          )}
          <TextLink to="/import">Import another file</TextLink>
        </EmptyStateActions>
      </EmptyState>
      {data?.left ? <LeftOut preview={data} /> : null}
    </>
  )
}

const Import = ({ state }: { state: ImportPreview }) => {
  const { _id, kind, fileName, rows, sheet, headerLine, values, isRemembered, columns, fields } = state
  const navigate = useNavigate()
  const [{ step: asked }] = useSearchParams()
  const mapping = useMapping(_id)
  const step: Step =
    state.progress.state === 'saved'
      ? 'done'
      : asked === 'changes' || kind === 'legacy'
        ? 'changes'
        : asked === 'values' && values.length > 0
          ? asked
          : 'columns'
  const go = (next: Step) => void navigate({ to: '/import/$id', params: { id: _id }, search: { step: next } as never })
  const next: Step = step === 'columns' && values.length > 0 ? 'values' : 'changes'
  const missing = fields.filter(({ key, isRequired }) => isRequired && !columns.some(({ field }) => field === key))
  const onMapped = (chosen: GivenMapping) => mapping.mutate({ mapping: chosen })
  const isMapping = step === 'columns' || step === 'values'
  return (
    <PageWithBar>
      <header className={layoutClasses.pageHead}>
        <div>
          <h1 tabIndex={-1} className={layoutClasses.breakable}>
            Import: {fileName}
          </h1>
          <p className={textClasses.dimmed}>
            <Parts>
              <span>{formatCount(rows, 'row')}</span>
              {sheet === '' ? null : <span>sheet “{sheet}”</span>}
              {headerLine === 0 ? null : <span>headers in row {headerLine}</span>}
            </Parts>
          </p>
        </div>
        {isMapping ? (
          <div className={layoutClasses.buttons}>
            <Button variant="default" onClick={() => void navigate({ to: '/import' })}>
              Cancel
            </Button>
            <Button loading={mapping.isPending} onClick={() => go(next)}>
              {next === 'values' ? 'Look at the values' : 'Look at the changes'}
            </Button>
          </div>
        ) : null}
      </header>
      <ImportSteps step={step} id={_id} />
      {isMapping && missing.length > 0 ? (
        <p className={`${textClasses.wait} ${layoutClasses.bottomMargin12}`} role="status">
          Choose the column that is the {missing.map(({ label }) => label.toLowerCase()).join(' and the ')}. Rows without it are left out.
        </p>
      ) : null}
      {step === 'columns' ? (
        <>
          <NativeSelect
            label="What is in the file?"
            description={IMPORTS[kind].description}
            className={layoutClasses.bottomMargin20}
            value={kind}
            data={TABLE_KINDS.map((one) => ({ value: one, label: IMPORTS[one].label }))}
            onChange={({ currentTarget }) => mapping.mutate({ kind: TABLE_KINDS.find((one) => one === currentTarget.value) })}
          />
          <ImportColumns state={state} onChange={onMapped} />
        </>
      ) : null}
      {step === 'values' ? <ImportWords state={state} onChange={onMapped} /> : null}
      {isMapping ? (
        <p className={`${textClasses.note} ${layoutClasses.topMargin12}`}>
          {isRemembered ? 'These are the choices for the last file with these columns. ' : ''}Homeroom remembers this for the next file with
          these columns.
        </p>
      ) : null}
      {step === 'changes' ? <LoadedChanges state={state} /> : null}
      {step === 'done' ? <Done state={state} /> : null}
    </PageWithBar>
  )
}

/** `/import/$id`: what the columns and words of a file become, what that changes, and what was saved. */
export const ImportPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useImportState(id)
  useTitle(query.data && `Import ${query.data.fileName}`)
  return (
    <LoadedRecord query={query} what="import" back={<BackLink to="/import" label="Import" />} skeleton={<RowSkeleton />}>
      {(state) => <Import key={state._id} state={state} />}
    </LoadedRecord>
  )
}
