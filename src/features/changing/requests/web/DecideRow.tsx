import { Textarea, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconPencil,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ComponentType, useId } from 'react'

import { formatMomentDay } from '../../../../contract/dates.ts'
import type { EditableKind } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { ProposedField, ProposedFieldState } from '../contract.ts'
import { formatFieldValue } from '../rules.ts'
import {
  acceptField,
  canEditValue,
  type Choices,
  type DecisionChoice,
  formatField,
  getRivalKey,
  isChangedSince,
  isPicture,
} from './decision.ts'
import { NowValue, SuggestedValue } from './ProposedValue.tsx'
import { readReasons } from './use-choices.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DecidePage.module.css'

interface DecisionButtonsProps {
  /** The subject of the decision. */
  label: string
  chosen: DecisionChoice['kind'] | undefined
  canEdit: boolean
  onChoose: (kind: 'accept' | 'edit' | 'decline') => void
}

/** Accept, Edit and Decline as toggle buttons; pressing the selected one again clears it. */
const DecisionButtons = ({ label, chosen, canEdit, onChoose }: DecisionButtonsProps) => {
  const isAccepted = chosen === 'accept' || chosen === 'edit' || chosen === 'other'
  return (
    <div role="group" aria-label={`Decision: ${label}`} className={classes.buttons} data-print="no">
      <button type="button" data-tone="ok" aria-pressed={isAccepted} onClick={() => onChoose('accept')}>
        <IconCheck size={15} stroke={2} aria-hidden />
        {isAccepted ? 'Accepted' : 'Accept'}
      </button>
      {canEdit ? (
        <button type="button" aria-pressed={chosen === 'edit'} onClick={() => onChoose('edit')}>
          <IconPencil size={15} stroke={1.75} aria-hidden />
          Edit
        </button>
      ) : null}
      <button type="button" data-tone="bad" aria-pressed={chosen === 'decline'} onClick={() => onChoose('decline')}>
        <IconX size={15} stroke={2} aria-hidden />
        {chosen === 'decline' ? 'Declined' : 'Decline'}
      </button>
    </div>
  )
}

/** The input for a field of a record; passed in, since records belong to higher groups. */
export interface EditsFields {
  readonly FieldEditor: ComponentType<{
    kind: EditableKind
    path: string
    label: string
    value: unknown
    onChange: (value: unknown) => void
  }>
}

const FIELD_STATES = {
  open: { word: 'Waiting', icon: IconClock, tone: 'wait' },
  accepted: { word: 'Accepted', icon: IconCircleCheckFilled, tone: 'ok' },
  declined: { word: 'Declined', icon: IconCircleX, tone: 'bad' },
  withdrawn: { word: 'Withdrawn', icon: IconArrowBackUp, tone: 'off' },
} as const satisfies Record<ProposedFieldState, object>

const StateWord = ({ state, word }: { state: ProposedFieldState; word?: string }) => {
  const { icon: Icon, tone, word: own } = FIELD_STATES[state]
  return (
    <span className={`${layoutClasses.inlineRow} ${textClasses.strong} ${textClasses.smallFont} ${classes.state}`} data-tone={tone}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {word ?? own}
    </span>
  )
}

/** The outcome of a field: by whom and why. */
const Outcome = ({ field }: { field: ProposedField }) => {
  const { state, decidedBy, decidedAt, word, value } = field
  return (
    <div className={`${textClasses.note} ${layoutClasses.breakable} ${layoutClasses.vertical}`}>
      <StateWord state={state} />
      {decidedBy && decidedAt && state !== 'withdrawn' ? (
        <span>
          by {decidedBy} on {formatMomentDay(decidedAt, configuration.timeZone)}
        </span>
      ) : null}
      {state === 'accepted' && value !== null ? <span>Changed to {formatFieldValue(field.path, value, null)}</span> : null}
      {word ? <span>“{word}”</span> : null}
    </div>
  )
}

interface DecideRowProps extends EditsFields {
  kind: EditableKind
  field: ProposedField
  sender: string
  /** Undefined if the user may not decide. */
  onChoose: ((key: string, choice: DecisionChoice | undefined) => void) | undefined
  choices: Choices
  errors: Readonly<Record<string, string>>
  isActive: boolean
}

/** Why a field is declined, with recent reasons to choose from. */
const Reason = ({ name, sender, reason, error, onChange }: ReasonProps) => {
  const reasons = readReasons().filter((one) => one !== reason)
  return (
    <div className={layoutClasses.topMargin8}>
      <Textarea
        label={`Reason, sent to ${sender}`}
        data-reason={name}
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {reason === '' && reasons.length > 0 ? (
        <div className={`${layoutClasses.stack} ${layoutClasses.topMargin6} ${classes.reasons}`} role="group" aria-label="Earlier reasons">
          {reasons.map((one) => (
            <button
              key={one}
              type="button"
              className={`${layoutClasses.outlined} ${textClasses.smallerFont} ${textClasses.textColor} ${classes.earlier}`}
              onClick={() => onChange(one)}
            >
              {one}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
interface ReasonProps {
  /** The key of its choice. */
  name: string
  sender: string
  reason: string
  error: string | undefined
  onChange: (reason: string) => void
}

const getFirstName = (name: string): string => name.split(' ')[0] ?? ''

const focusReason = (name: string): number =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-reason="${CSS.escape(name)}"]`)?.focus())

/** Others' suggestions for the same field, each accepted or declined here too. */
const Rivals = ({ field, choices, errors, onChoose }: Pick<DecideRowProps, 'field' | 'choices' | 'errors' | 'onChoose'>) =>
  field.rivals.map(({ _id, sender, createdAt, suggested, suggestedName }) => {
    const name = getRivalKey(field.path, _id)
    const own = choices[field.path]
    const declined = choices[name]
    const chosen = own?.kind === 'other' && own._id === _id ? own : declined
    const press = (kind: 'accept' | 'edit' | 'decline') => {
      if (kind === 'decline') {
        onChoose?.(name, chosen?.kind === 'decline' ? undefined : { kind: 'decline', reason: '' })
        if (chosen?.kind !== 'decline') focusReason(name)
      } else onChoose?.(field.path, chosen?.kind === 'other' ? undefined : { kind: 'other', _id })
    }
    return (
      <div key={_id} className={`${layoutClasses.grid} ${layoutClasses.topMargin8} ${classes.otherProposal}`}>
        <Avatar name={sender} size={32} />
        <span className={`${layoutClasses.content} ${layoutClasses.block}`}>
          <mark>{formatFieldValue(field.path, suggested, suggestedName)}</mark>{' '}
          <span className={textClasses.note}>on {formatMomentDay(createdAt, configuration.timeZone)}</span>
          <Link
            to="/requests/$id"
            params={{ id: _id }}
            className={`${layoutClasses.block} ${textClasses.linkColor} ${textClasses.smallFont} ${textClasses.underlined}`}
          >
            {sender}
          </Link>
        </span>
        {onChoose ? (
          <div>
            <DecisionButtons label={`${field.label}, suggested by ${sender}`} chosen={chosen?.kind} canEdit={false} onChoose={press} />
            {declined?.kind === 'decline' ? (
              <Reason
                name={name}
                sender={getFirstName(sender)}
                reason={declined.reason}
                error={errors[name]}
                onChange={(reason) => onChoose(name, { kind: 'decline', reason })}
              />
            ) : null}
          </div>
        ) : null}
      </div>
    )
  })

/** A row's choice as one word, at the top right of its card on phones. */
const findWord = (choice: DecisionChoice | undefined, hasRivals: boolean): { state: ProposedFieldState; word?: string } => {
  if (choice === undefined) return hasRivals ? { state: 'open', word: 'Choose one' } : { state: 'open' }
  return { state: choice.kind === 'decline' ? 'declined' : 'accepted' }
}

/** One field of a suggestion: current value, suggested value, and the decision. */
export const DecideRow = (props: DecideRowProps) => {
  const { kind, field, sender, choices, errors, isActive, onChoose: onChooseAny, FieldEditor } = props
  const [choice, error] = [choices[field.path], errors[field.path]]
  const onChoose = onChooseAny && ((chosen: DecisionChoice | undefined) => onChooseAny(field.path, chosen))
  const id = useId()
  const isOpen = field.state === 'open'
  const picture = isPicture(field)
  const press = (pressed: 'accept' | 'edit' | 'decline') => {
    if (!onChoose) return
    if (choice?.kind === pressed || (pressed === 'accept' && choice?.kind === 'edit')) return onChoose(undefined)
    if (pressed === 'accept') onChoose(acceptField(field))
    else if (pressed === 'edit') onChoose({ kind: 'edit', value: field.suggested })
    else onChoose({ kind: 'decline', reason: '' })
    if (pressed === 'decline') focusReason(field.path)
  }
  const words = formatField(field)
  return (
    <li
      className={`${layoutClasses.lineBelow} ${layoutClasses.positioned} ${classes.row}`}
      data-decide={field.path}
      data-active={isActive || undefined}
      tabIndex={-1}
      aria-labelledby={id}
      data-decidable={(isOpen && onChoose !== undefined) || undefined}
    >
      <div className={classes.fieldCell}>
        <h3 id={id} className={`${layoutClasses.breakable} ${textClasses.strong}`}>
          {field.label}
        </h3>
        {isOpen && onChoose ? (
          <span className={classes.cardState} data-contested={(field.rivals.length > 0 && choice === undefined) || undefined}>
            <StateWord {...findWord(choice, field.rivals.length > 0)} />
          </span>
        ) : null}
      </div>
      <div className={`${layoutClasses.content} ${classes.nowCell}`}>
        <span className={classes.cellLabel}>{isOpen ? 'Now' : 'Before'}</span>
        <div>
          <NowValue field={field} />
          {isChangedSince(field) ? (
            <p className={`${textClasses.smallFont} ${textClasses.wait} ${layoutClasses.topMargin4} ${classes.changed}`}>
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
              <span>
                Changed since it was sent{picture ? '' : `: from ${words.before}`}
                {field.changed
                  ? `${picture ? '' : ','} by ${field.changed.by ?? 'an import'} on ${formatMomentDay(field.changed.at, configuration.timeZone)}`
                  : ''}
              </span>
            </p>
          ) : null}
        </div>
      </div>
      <div className={`${layoutClasses.content} ${classes.newCell}`}>
        <span className={classes.cellLabel}>Suggested</span>
        <div>
          {field.rivals.length > 0 ? (
            <p className={textClasses.note}>
              {field.rivals.length === 1 ? 'Two people' : `${field.rivals.length + 1} people`} suggested this. Accepting one declines the{' '}
              {field.rivals.length === 1 ? 'other' : 'others'}.
            </p>
          ) : null}
          {choice?.kind === 'edit' && onChoose ? (
            <>
              <FieldEditor
                kind={kind}
                path={field.path}
                label={field.label}
                value={choice.value}
                onChange={(value) => onChoose({ kind: 'edit', value })}
              />
              <p className={textClasses.note}>
                Edited by you, from “{words.suggested}”.{' '}
                <TextButton isUnderlined onClick={() => onChoose(undefined)}>
                  Undo<VisuallyHidden component="span"> {field.label}</VisuallyHidden>
                </TextButton>
              </p>
            </>
          ) : (
            <SuggestedValue field={field} />
          )}
          {field.problem ? (
            <p className={`${textClasses.smallFont} ${textClasses.wait} ${layoutClasses.topMargin4} ${classes.changed}`}>
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
              <span>{field.problem}. It can only be declined or changed.</span>
            </p>
          ) : null}
          {error && choice?.kind !== 'decline' ? (
            <p className={`${textClasses.error} ${textClasses.smallFont} ${layoutClasses.topMargin4}`} role="alert">
              {error}
            </p>
          ) : null}
        </div>
      </div>
      <div className={classes.decisionCell}>
        {isOpen && onChoose ? (
          <>
            <DecisionButtons
              label={field.label}
              chosen={choice?.kind === 'other' ? undefined : choice?.kind}
              canEdit={canEditValue(field)}
              onChoose={press}
            />
            {choice?.kind === 'decline' ? (
              <Reason
                name={field.path}
                sender={sender}
                reason={choice.reason}
                error={error}
                onChange={(reason) => onChoose({ kind: 'decline', reason })}
              />
            ) : null}
          </>
        ) : (
          <Outcome field={field} />
        )}
      </div>
      {isOpen && field.rivals.length > 0 ? (
        <div className={classes.otherProposals}>
          <Rivals field={field} choices={choices} errors={errors} onChoose={onChooseAny} />
        </div>
      ) : null}
    </li>
  )
}
