import { Button, Checkbox, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconArrowRight, IconCheck } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { formatCount, capitalize } from '../../../../contract/format.ts'
import type { HistoryParts } from '../../../../contract/history.ts'
import { useCan, useUser } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { NowAndNew } from '../../../../platform/web/form/NowAndNew.tsx'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { ShowMore, TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { describeUndone } from '../../../finding/activity/rules.ts'
import { RESTORED_AS_WHOLE } from '../../history/rules.ts'
import type { Changeset, UndoResult } from '../contract.ts'
import { getNoun } from '../rules.ts'
import { useChangeset, useChangesetUndo, useRecordUndo } from './changeset-queries.ts'
import { type ChangedRecord, type ChangesetLine, countByKind, countChanges, listChangedRecords } from './describe-changeset.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ChangesPage.module.css'

const FIRST_RECORDS = 20
const MORE_RECORDS = 200
const FIRST_LINES = 50
const MORE_LINES = 500

const Line = ({ line: { label, from, to, since } }: { line: ChangesetLine }) => {
  if (from === null || to === null) return <li>{capitalize(label)}</li>
  return (
    <li>
      <span className={classes.label}>{label}</span> <NowAndNew now={from} next={to} />
      {since === null ? null : (
        <span className={`${layoutClasses.block} ${textClasses.smallerFont} ${textClasses.wait}`}>Changed since: {since}</span>
      )}
    </li>
  )
}

const RecordRow = ({ record, canUndo }: { record: ChangedRecord; canUndo: boolean }) => {
  const undo = useRecordUndo(record)
  const [limit, setLimit] = useState(FIRST_LINES)
  const isUndoable =
    canUndo &&
    record.changes.every(({ action, fields }) => action === 'update' && !fields.some(({ field }) => RESTORED_AS_WHOLE.has(field))) &&
    record.lines.some(({ since }) => since === null)
  return (
    <li className={`${layoutClasses.lineBelow} ${layoutClasses.grid} ${classes.row}`}>
      <h3 className={classes.name}>{record.path === null ? record.name : <Link to={record.path}>{record.name}</Link>}</h3>
      <div className={classes.lines}>
        <ul aria-label={`Changes of ${record.name}`}>
          {record.lines.slice(0, limit).map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </ul>
        <ShowMore left={record.lines.length - limit} step={MORE_LINES} onShow={() => setLimit(limit + MORE_LINES)} />
      </div>
      <span className={classes.action} data-print="no">
        {isUndoable ? (
          <TextButton disabled={undo.isPending} onClick={() => undo.mutate()}>
            Undo<VisuallyHidden component="span"> the changes of {record.name}</VisuallyHidden>
          </TextButton>
        ) : null}
      </span>
    </li>
  )
}

interface UndoDialogProps {
  readonly changeset: Changeset
  readonly records: readonly ChangedRecord[]
  readonly onDone: (result: UndoResult) => void
  readonly onClose: () => void
}

/** What is restored, and what others saved since, which is kept unless the user chooses to overwrite it. */
const UndoDialog = ({ changeset, records, onDone, onClose }: UndoDialogProps) => {
  const [isOverwriting, setOverwriting] = useState(false)
  const undo = useChangesetUndo(changeset._id)
  const moved = records.flatMap(({ name, lines }) => lines.flatMap((line) => (line.since === null ? [] : [{ name, line }])))
  const { total } = countChanges(records)
  const count = isOverwriting ? total : total - moved.length
  return (
    <Dialog
      title={`Undo ${formatCount(total, 'change')}?`}
      confirmLabel={`Undo ${formatCount(count, 'change')}`}
      focusesCancel
      size={560}
      isBusy={undo.isPending}
      error={undo.error}
      onClose={onClose}
      onConfirm={() => undo.mutate(isOverwriting, { onSuccess: onDone })}
    >
      <p>
        The earlier values are restored as one. What was added is removed{changeset.kind === 'import' ? '' : ' or closed'}.
        {moved.length === 0 ? ' None of these values has changed since.' : ''}
      </p>
      {moved.length > 0 ? (
        <>
          <p>
            <strong>{formatCount(moved.length, ['value was changed since and stays', 'values were changed since and stay'])}:</strong>
          </p>
          <ul className={`${textClasses.smallFont} ${layoutClasses.scrolling} ${classes.moved}`} tabIndex={-1}>
            {moved.map(({ name, line }) => (
              <li key={line.key}>
                <strong>{name}</strong>, {line.label}: {line.to} <VisuallyHidden>changed to</VisuallyHidden>
                <IconArrowRight size={14} stroke={1.75} aria-hidden className={classes.arrow} /> {line.since}
              </li>
            ))}
          </ul>
          <Checkbox
            label={moved.length === 1 ? 'Undo this one too' : `Undo these ${moved.length} too`}
            checked={isOverwriting}
            onChange={({ currentTarget }) => setOverwriting(currentTarget.checked)}
          />
        </>
      ) : null}
    </Dialog>
  )
}

const TITLES: Readonly<Record<Changeset['kind'], string>> = {
  sheet: 'saved',
  import: 'imported',
  bulk: 'saved',
  planned: 'saved as planned',
  undo: 'undone',
  merge: 'saved by a merge',
}

const Facts = ({ changeset: { kind, title, at, by, undoes, undoneBy } }: { changeset: Changeset }) => {
  const isOwn = useUser()?.name === by
  return (
    <>
      <p className={classes.facts}>
        <Parts>
          {[title, formatMoment(at, configuration.timeZone), `by ${isOwn ? 'you' : by}`].filter(Boolean).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {kind === 'undo' && undoes ? (
            <span>
              <TextLink to="/changes/$id" params={{ id: undoes }}>
                See what was undone
              </TextLink>
            </span>
          ) : null}
        </Parts>
      </p>
      {undoneBy ? (
        <Notice tone="off">
          <span>
            Undone by {undoneBy.by} on {formatMoment(undoneBy.at, configuration.timeZone)}.{' '}
            <TextLink to="/changes/$id" params={{ id: undoneBy._id }}>
              See the undo
            </TextLink>
          </span>
        </Notice>
      ) : null}
    </>
  )
}

/** The values that an undo did not restore. */
const LeftAlone = ({ left, records }: { left: UndoResult['left']; records: readonly ChangedRecord[] }) => (
  <Notice tone="off" live>
    <div>
      <p>
        Undone. {describeUndone(countByKind(records), left.length)}{' '}
        {left.length === 0 ? '' : `${formatCount(left.length, 'value')} stayed:`}
      </p>
      {left.length > 0 ? (
        <ul className={`${textClasses.smallFont} ${layoutClasses.scrolling} ${classes.moved}`}>
          {left.map(({ record, field, message, table }) => (
            <li key={`${table} ${record} ${field}`}>
              <strong>{records.find(({ _id }) => _id === record)?.name}</strong>: {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  </Notice>
)

interface HandsIn {
  readonly parts: HistoryParts
  /** What was left out of it, if known: the boxes with its numbers, and the list. */
  readonly leftOutNumbers: ReactNode
  readonly leftOut: ReactNode
}

const Changes = ({ changeset, parts, leftOutNumbers, leftOut }: HandsIn & { changeset: Changeset }) => {
  const [isConfirming, setConfirming] = useState(false)
  const [left, setLeft] = useState<UndoResult['left']>()
  const [limit, setLimit] = useState(FIRST_RECORDS)
  const records = useMemo(() => listChangedRecords(parts, changeset, configuration.timeZone), [parts, changeset])
  const mayUndo = useCan('manage the network')
  const canUndo = mayUndo && changeset.undoneBy === null && records.length > 0
  const counts = countChanges(records)
  const nounOf = (count: number) => getNoun([changeset.recordKind])[count === 1 ? 0 : 1]
  const stats = [
    {
      count: counts.cells,
      words: `${counts.cells === 1 ? 'value' : 'values'} ${changeset.kind === 'undo' ? 'restored' : 'changed'} on ${formatCount(counts.records, getNoun(records.map(({ kind }) => kind)))}`,
    },
    {
      count: counts.created,
      words: changeset.kind === 'undo' ? `${nounOf(counts.created)} restored` : `new ${nounOf(counts.created)}`,
    },
    { count: counts.removed, words: `${nounOf(counts.removed)} removed` },
    { count: counts.since, words: 'changed since by someone' },
  ].filter(({ count }) => count > 0)
  return (
    <div className={`${layoutClasses.narrowPage} ${classes.page}`}>
      <BackLink to="/activity" label="Activity" />
      <header className={`${layoutClasses.topRow} ${layoutClasses.bottomMargin12} ${classes.head}`}>
        <span
          className={`${layoutClasses.okGround} ${layoutClasses.rigid} ${classes.icon}`}
          data-undo={changeset.kind === 'undo' || undefined}
        >
          {changeset.kind === 'undo' ? (
            <IconArrowBackUp size={24} stroke={2} aria-hidden />
          ) : (
            <IconCheck size={24} stroke={2} aria-hidden />
          )}
        </span>
        <div className={`${layoutClasses.shrinkable} ${classes.text}`}>
          <h1 tabIndex={-1}>
            {formatCount(counts.total, 'change')} {counts.total === 1 ? 'is' : 'are'} {TITLES[changeset.kind]}
          </h1>
          <Facts changeset={changeset} />
        </div>
        {canUndo ? (
          <Button
            variant="default"
            aria-haspopup="dialog"
            leftSection={<IconArrowBackUp size={17} stroke={1.75} aria-hidden />}
            onClick={() => setConfirming(true)}
          >
            Undo all {counts.total.toLocaleString('en-US')}
          </Button>
        ) : null}
      </header>
      {left ? <LeftAlone left={left} records={records} /> : null}
      {canUndo ? (
        <p className={`${textClasses.smallFont} ${classes.note}`}>
          Undo restores the earlier values, and removes or closes what was added. What someone has changed since stays.
        </p>
      ) : null}
      <ul className={`${layoutClasses.grid} ${layoutClasses.topMargin16} ${classes.stats}`} aria-label="In numbers">
        {stats.map(({ count, words }) => (
          <li key={words}>
            <strong>{count.toLocaleString('en-US')}</strong>
            {words}
          </li>
        ))}
        {leftOutNumbers}
      </ul>
      {leftOut}
      <section aria-labelledby="saved">
        <h2 id="saved">{changeset.kind === 'undo' ? 'Undone' : 'Saved'}</h2>
        <ul aria-labelledby="saved">
          {records.slice(0, limit).map((record) => (
            <RecordRow key={record._id} record={record} canUndo={canUndo} />
          ))}
        </ul>
        <ShowMore left={records.length - limit} step={MORE_RECORDS} onShow={() => setLimit(limit + MORE_RECORDS)} />
      </section>
      {isConfirming ? (
        <UndoDialog
          changeset={changeset}
          records={records}
          onDone={(result) => {
            setConfirming(false)
            setLeft(result.left)
          }}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </div>
  )
}

/** `/changes/$id`: changes that were saved together, and their undo. */
export const ChangesPage = (handsIn: HandsIn) => {
  const { id = '' } = useParams({ strict: false })
  const query = useChangeset(id)
  useTitle(query.data && `Changes: ${query.data.title}`)
  return (
    <LoadedRecord query={query} what="change" back={<BackLink to="/activity" label="Activity" />} skeleton={<RowSkeleton />}>
      {(changeset) => <Changes key={changeset._id} changeset={changeset} {...handsIn} />}
    </LoadedRecord>
  )
}
