import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { formatMomentDay } from '../../../../contract/dates.ts'
import { capitalize, formatCount } from '../../../../contract/format.ts'
import { DuplicateKind, getRecordPath, RECORD_NOUNS } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { Reasons } from '../../duplicates/web/public/Reasons.tsx'
import { useDismissal } from '../../duplicates/web/queries.ts'
import type { MergePreview } from '../contract.ts'
import { chooseAll, type FieldChoices, formatMoves, toValues } from './choices.ts'
import { type EditsFields, isBlank, MergeRow } from './MergeRow.tsx'
import { useMerge, useMergePreview } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './MergePage.module.css'

const back = <BackLink to="/duplicates" label="Duplicates" />

const SideHead = ({ side: { record, addedAt, addedBy, changes }, isKept }: { side: MergePreview['keep']; isKept: boolean }) => (
  <th scope="col">
    <span className={textClasses.strong}>{record.name}</span>{' '}
    {isKept ? <span className={`${layoutClasses.okGround} ${textClasses.smallerFont} ${classes.stays}`}>stays</span> : null}
    <span className={`${layoutClasses.block} ${textClasses.note} ${textClasses.regular}`}>
      {[addedAt === null ? null : `added ${formatMomentDay(addedAt, configuration.timeZone)}`, addedBy === null ? null : `by ${addedBy}`]
        .filter(Boolean)
        .join(' ')}
      {addedAt === null ? '' : ' · '}
      {formatCount(changes, 'change')}
    </span>
    {record.detail === '' ? null : (
      <span className={`${layoutClasses.block} ${textClasses.note} ${textClasses.regular}`}>{record.detail}</span>
    )}
  </th>
)

interface ComparisonProps extends EditsFields {
  readonly kind: DuplicateKind
  readonly preview: MergePreview
}

/** Both records side by side, what moves, and the two answers. */
const Comparison = ({ kind, preview, FieldEditor }: ComparisonProps) => {
  const { keep, merge, fields, moves, reasons } = preview
  const [choices, setChoices] = useState<FieldChoices>({})
  const [, changeAddress] = useSearchParams()
  const navigate = useNavigate()
  const [one] = RECORD_NOUNS[kind]
  const merging = useMerge((changeset) => {
    void navigate({ to: getRecordPath(keep.record) }).then(() =>
      showSuccess({
        text: `${merge.record.name} was merged into ${keep.record.name}.`,
        link: { to: `/changes/${changeset}`, label: 'See or undo' },
      }),
    )
  })
  const dismissal = useDismissal(() => {
    void navigate({ to: '/duplicates', search: { kind } }).then(() =>
      showSuccess({ text: `${keep.record.name} and ${merge.record.name} stay apart.` }),
    )
  })
  const isBusy = merging.isPending || dismissal.isPending
  const moving = formatMoves(moves)
  return (
    <>
      {back}
      <h1 tabIndex={-1}>Are these one {one}?</h1>
      <Reasons reasons={reasons} />
      <div className={`${layoutClasses.toolbar} ${classes.tools}`} data-print="no">
        <TextButton onClick={() => setChoices(chooseAll(preview, 'newer'))}>Choose the Newer Values</TextButton>
        <TextButton onClick={() => setChoices(chooseAll(preview, 'fuller'))}>Choose the Fuller Values</TextButton>
        <TextButton onClick={() => changeAddress({ keep: merge.record._id, merge: keep.record._id })}>
          Keep {merge.record.name} Instead
        </TextButton>
      </div>
      <div className={`${layoutClasses.card} ${classes.frame}`}>
        <table className={classes.table} aria-label={`${keep.record.name} and ${merge.record.name}`}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <SideHead side={keep} isKept />
              <SideHead side={merge} isKept={false} />
              <th scope="col">Together</th>
            </tr>
          </thead>
          <tbody>
            {fields
              .filter((field) => !isBlank(field))
              .map((field) => (
                <MergeRow
                  key={field.path}
                  kind={kind}
                  field={field}
                  names={{ keep: keep.record.name, merge: merge.record.name }}
                  choices={choices}
                  onChoose={(path, choice) => setChoices((before) => ({ ...before, [path]: choice }))}
                  FieldEditor={FieldEditor}
                />
              ))}
          </tbody>
        </table>
      </div>
      <p className={`${layoutClasses.topMargin16} ${layoutClasses.breakable} ${classes.moves}`}>
        <strong>What moves to {keep.record.name}:</strong> {moving === '' ? 'nothing' : moving}. Links to {getRecordPath(merge.record)} will
        lead to {getRecordPath(keep.record)}. No one’s access changes.
      </p>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.topMargin16} ${classes.answers}`}>
        <Button
          loading={merging.isPending}
          disabled={isBusy}
          onClick={() =>
            merging.mutate({
              kind,
              keep: keep.record._id,
              merge: merge.record._id,
              values: toValues(fields, choices),
              version: keep.record.version,
              mergedVersion: merge.record.version,
            })
          }
        >
          Merge
        </Button>
        <Button
          variant="default"
          loading={dismissal.isPending}
          disabled={isBusy}
          onClick={() => dismissal.mutate({ kind, a: keep.record._id, b: merge.record._id })}
        >
          Not the Same {capitalize(one)}
        </Button>
        <span className={textClasses.note}>Can be undone as one, later too</span>
      </div>
    </>
  )
}

const Loaded = ({ kind, keep, merge, ...handsIn }: EditsFields & { kind: DuplicateKind; keep: string; merge: string }) => {
  const query = useMergePreview({ kind, keep, merge })
  return (
    <LoadedRecord query={query} what={RECORD_NOUNS[kind][0]} back={back} skeleton={<RowSkeleton />}>
      {(preview) => (
        <Comparison key={`${preview.keep.record._id} ${preview.merge.record._id}`} kind={kind} preview={preview} {...handsIn} />
      )}
    </LoadedRecord>
  )
}

/** `/merge`: two records side by side, to merge them or to say that they are not the same. */
export const MergePage = (handsIn: EditsFields) => {
  const [{ kind, keep, merge }] = useSearchParams()
  useTitle('Merge')
  const known = DuplicateKind.safeParse(kind)
  if (!known.success || !keep || !merge)
    return (
      <>
        {back}
        <h1 tabIndex={-1}>Merge</h1>
        <p>
          Choose two records on the page <TextLink to="/duplicates">Duplicates</TextLink>.
        </p>
      </>
    )
  return <Loaded kind={known.data} keep={keep} merge={merge} {...handsIn} />
}
