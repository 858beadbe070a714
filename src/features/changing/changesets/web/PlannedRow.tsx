import { Button, Modal } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDay, formatMomentDay } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import { type EditableKind, getRecordFormPath, RECORD_NOUNS } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { isSameValue } from '../../../../platform/web/form/values.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import { formatFieldValue } from '../../requests/rules.ts'
import type { PlannedChange } from '../contract.ts'
import { usePlanDecision } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './public/PlannedChangesCard.module.css'

type PlannedField = PlannedChange['fields'][number]

const formatOthers = (count: number, kind: EditableKind): string => {
  const [one, many] = RECORD_NOUNS[kind]
  return formatCount(count, [`other ${one}`, `other ${many}`])
}

const PlannedValue = ({ field: { path, planned, plannedName } }: { field: PlannedField }) => {
  const text = formatFieldValue(path, planned, plannedName)
  const [person, another]: readonly unknown[] = path.startsWith('roles.') && Array.isArray(planned) ? planned : []
  return typeof person === 'string' && another === undefined ? (
    <TextLink to="/staff/$slug" params={{ slug: person }}>
      {text}
    </TextLink>
  ) : (
    text
  )
}

/** 'The Principal is another one now. Keep this plan?' The current value is shown above. */
const describeMove = ({ path, label, present, planned }: PlannedField): string =>
  isSameValue(present, planned)
    ? `${label} is so already.`
    : `${path.startsWith('roles.') ? `The ${label} is another one now` : `${label} is different now`}. Keep this plan?`

interface CancelDialogProps {
  plan: PlannedChange
  isBusy: boolean
  onCancel: (all: boolean) => void
  onClose: () => void
}

/** Asks whether only one of many planned changes is canceled. */
const CancelDialog = ({ plan: { record, day, others }, isBusy, onCancel, onClose }: CancelDialogProps) => {
  useReturnFocus()
  const all = formatCount(others + 1, RECORD_NOUNS[record.kind])
  return (
    <Modal opened onClose={onClose} title={others > 0 ? `Only here, or at all ${all}?` : 'Cancel this planned change?'} size={480}>
      <p className={layoutClasses.bottomMargin16}>
        {others > 0
          ? `This change for ${formatDay(day)} was planned together with ${formatOthers(others, record.kind)}.`
          : `Nothing will change for ${record.name} on ${formatDay(day)}.`}
      </p>
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.atEnd}`}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Keep It
        </Button>
        <Button
          variant={others > 0 ? 'default' : 'filled'}
          {...(others > 0 ? {} : { color: 'red' })}
          loading={isBusy}
          onClick={() => onCancel(false)}
        >
          {others > 0 ? 'Only Here' : 'Cancel Change'}
        </Button>
        {others > 0 ? (
          <Button color="red" loading={isBusy} onClick={() => onCancel(true)}>
            At All {all.replace(/ \w/, (letter) => letter.toUpperCase())}
          </Button>
        ) : null}
      </div>
    </Modal>
  )
}

interface PlannedRowProps {
  plan: PlannedChange
  /** Whether the row shows the name of its record, because it is on another page. */
  hasRecord?: boolean
  hasDay?: boolean | undefined
}

/** A planned change: from which day, what, and by whom; a pending one can be canceled. */
export const PlannedRow = ({ plan, hasRecord = false, hasDay = true }: PlannedRowProps) => {
  const { _id, record, day, fields, by, createdAt, note, others, state, problem, changeset } = plan
  const isWaiting = state === 'waiting'
  const [isCanceling, setCanceling] = useState(false)
  const { cancel, keep } = usePlanDecision(() => setCanceling(false))
  const moved = isWaiting ? fields.filter(({ before, present }) => !isSameValue(before, present)) : []
  const withOthers = others === 0 ? '' : `, with ${formatOthers(others, record.kind)}`
  return (
    <li className={`${layoutClasses.lineAbove} ${layoutClasses.grid} ${classes.row}`} data-moved={moved.length > 0 || undefined}>
      {hasDay ? <span className={`${textClasses.smallFont} ${textClasses.strong}`}>From {formatDay(day)}</span> : null}
      <div className={layoutClasses.content}>
        {hasRecord ? (
          <p className={classes.record}>
            <TextLink to={getRecordFormPath(record)}>{record.name}</TextLink>
          </p>
        ) : null}
        {fields.map((field) => (
          <p key={field.path}>
            <strong>{field.label}</strong>
            {/* What is planned as true is a statement, such as No longer employed: no field of a form has that value. */}
            {field.planned === true ? null : (
              <>
                {' '}
                {isWaiting ? 'will be' : 'to'} <PlannedValue field={field} />{' '}
                <span className={`${textClasses.dimmed} ${classes.secondary}`}>
                  {isWaiting
                    ? `(now ${formatFieldValue(field.path, field.present, field.presentName)})`
                    : `(planned when it was ${formatFieldValue(field.path, field.before, field.beforeName)})`}
                </span>
              </>
            )}
          </p>
        ))}
        {moved.map((field) => (
          <p key={field.path} className={`${textClasses.strong} ${layoutClasses.flex} ${layoutClasses.gap6} ${classes.moved}`}>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
            <span>{describeMove(field)}</span>
          </p>
        ))}
        {problem ? (
          <p className={`${textClasses.strong} ${layoutClasses.flex} ${layoutClasses.gap6} ${classes.moved}`} data-failed>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
            <span>{problem}</span>
          </p>
        ) : null}
        {note ? <p className={`${textClasses.dimmed} ${classes.secondary}`}>“{note}”</p> : null}
        <p className={`${textClasses.dimmed} ${textClasses.smallerFont} ${textClasses.smallerLines} ${classes.by}`}>
          Planned by {by} on {formatMomentDay(createdAt, configuration.timeZone)}
          {withOthers}
        </p>
      </div>
      <div className={`${layoutClasses.wrappingRow} ${classes.actions}`}>
        {moved.length > 0 ? (
          <Button size="compact-md" variant="default" loading={keep.isPending} onClick={() => keep.mutate(_id)}>
            Keep Plan
          </Button>
        ) : null}
        {isWaiting ? (
          <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={() => setCanceling(true)}>
            Cancel Change
          </Button>
        ) : null}
        {changeset ? (
          <TextLink to="/changes/$id" params={{ id: changeset }}>
            See what changed
          </TextLink>
        ) : null}
      </div>
      {isCanceling ? (
        <CancelDialog
          plan={plan}
          isBusy={cancel.isPending}
          onCancel={(all) => cancel.mutate({ _id, all })}
          onClose={() => setCanceling(false)}
        />
      ) : null}
    </li>
  )
}
