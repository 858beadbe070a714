import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'

import { formatMomentTime } from '../../../../contract/dates.ts'
import { type HistoryParts } from '../../../../contract/history.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import type { Change, HistoryComment } from '../contract.ts'
import {
  type ChangeLine,
  EMPTY_TEXT,
  formatAction,
  formatActor,
  getChangeLines,
  getPartName,
  listSections,
  type RestoreTarget,
  truncateText,
} from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ChangeRow.module.css'

/** Longer texts are truncated until the user expands them. */
const MAX_COLLAPSED_LENGTH = 180

/** A value; a long text is truncated, with a button to expand it. */
const Value = ({ text, label, isOld = false }: { text: string; label: string; isOld?: boolean }) => {
  const [isExpanded, setExpanded] = useState(false)
  const isLong = text.length > MAX_COLLAPSED_LENGTH || text.split('\n').length > 3
  return (
    <span
      className={classes.value}
      data-old={isOld || undefined}
      data-empty={text === EMPTY_TEXT || undefined}
      data-long={isLong || undefined}
    >
      <span className={`${textClasses.keptLines} ${classes.text}`} data-cut={(isLong && !isExpanded) || undefined}>
        {text}
      </span>
      {isLong ? (
        <UnstyledButton
          className={`${textClasses.label} ${textClasses.linkColor} ${layoutClasses.minHeight24}`}
          aria-expanded={isExpanded}
          aria-label={`${isExpanded ? 'Show less' : 'Show all'} of ${label}`}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show less' : 'Show all'}
        </UnstyledButton>
      ) : null}
    </span>
  )
}

interface LineRowProps {
  line: ChangeLine
  action: Change['action']
  onRestore: (() => void) | undefined
}

/** 'Phone: 209-555-0140 → 209-555-0181'; for an inserted or deleted row only its values. */
const LineRow = ({ line: { label, from, to }, action, onRestore }: LineRowProps) => (
  <li className={`${layoutClasses.topRow} ${textClasses.lines} ${textClasses.smallFont} ${classes.line}`}>
    <span className={layoutClasses.content}>
      <span className={textClasses.strong}>{label}:</span>{' '}
      {action === 'insert' ? null : <Value text={from} label={label} isOld={action === 'update'} />}
      {action === 'update' ? (
        <>
          <span aria-hidden className={textClasses.dimmed}>
            {' → '}
          </span>
          <VisuallyHidden> changed to </VisuallyHidden>
        </>
      ) : null}
      {action === 'delete' ? null : <Value text={to} label={label} />}
    </span>
    {onRestore ? (
      <Button
        variant="subtle"
        size="compact-sm"
        className={`${layoutClasses.rigid} ${textClasses.linkColor} ${textClasses.regular} ${classes.button}`}
        aria-label={`Restore ${label}: ${truncateText(from)}`}
        onClick={onRestore}
      >
        Restore
      </Button>
    ) : null}
  </li>
)

/** The fields of an inserted or deleted row, collapsed because there are many. */
const CollapsedFields = ({ lines, action }: { lines: readonly ChangeLine[]; action: Change['action'] }) => (
  <details className={`${textClasses.note} ${layoutClasses.topMargin6} ${classes.collapsed}`}>
    <summary>
      {action === 'insert' ? 'Added with' : 'Removed with'} {lines.length === 1 ? '1 field' : `${lines.length} fields`}
    </summary>
    <ul className={`${layoutClasses.topMargin6} ${classes.lines}`}>
      {lines.map((line) => (
        <LineRow key={line.field} line={line} action={action} onRestore={undefined} />
      ))}
    </ul>
  </details>
)

const Time = ({ at }: Pick<Change, 'at'>) => (
  <time dateTime={at} className={`${textClasses.caption} ${textClasses.unbroken} ${classes.time}`}>
    {formatMomentTime(at, configuration.timeZone)}
  </time>
)

/** A comment among the changes of its time. */
export const HistoryCommentRow = ({ comment: { at, by, text } }: { comment: HistoryComment }) => (
  <li className={`${layoutClasses.blockPadding14} ${classes.change}`}>
    <p className={layoutClasses.breakable}>
      <strong>{by}</strong> commented
      <Time at={at} />
    </p>
    <p className={`${layoutClasses.topMargin6} ${layoutClasses.breakable} ${textClasses.preserved}`}>{text}</p>
  </li>
)

interface ChangeRowProps {
  parts: HistoryParts
  change: Change
  /** The one field the history is filtered by. */
  field: string | undefined
  /** Undefined if nothing can be restored. */
  onRestore: ((change: Change, target: RestoreTarget) => void) | undefined
}

/** One change as text, with buttons to restore earlier values. */
export const ChangeRow = ({ parts, change, field, onRestore }: ChangeRowProps) => {
  const { action } = change
  const lines = getChangeLines(parts, change, configuration.timeZone, field)
  const isCollapsed = action !== 'update' && lines.length > 3
  const restore = change.canRestore ? onRestore : undefined
  const name = getPartName(parts, change.part, change.title)
  const time = formatMomentTime(change.at, configuration.timeZone)
  return (
    <li className={`${layoutClasses.blockPadding14} ${classes.change}`}>
      <p className={layoutClasses.breakable}>
        <strong>{formatActor(change)}</strong> {formatAction(parts, change)}
        {change.changeset ? (
          <span className={textClasses.dimmed}>
            {' '}
            with{' '}
            <TextLink to="/changes/$id" params={{ id: change.changeset._id }}>
              {change.changeset.title || 'other changes'}
            </TextLink>
          </span>
        ) : null}
        {change.suggestedBy ? (
          <span className={textClasses.dimmed}>
            , suggested by {change.suggestedBy}, accepted by {formatActor(change)}
          </span>
        ) : null}
        <Time at={change.at} />
      </p>
      {isCollapsed ? (
        <CollapsedFields lines={lines} action={action} />
      ) : lines.length > 0 ? (
        <ul className={`${layoutClasses.topMargin6} ${classes.lines}`}>
          {lines.map((line) => (
            <LineRow
              key={line.field}
              line={line}
              action={action}
              onRestore={restore && action === 'update' ? () => restore(change, { line }) : undefined}
            />
          ))}
        </ul>
      ) : null}
      {restore ? (
        <div className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin10}`}>
          {action === 'delete' ? (
            <Button variant="default" size="compact-sm" aria-label={`Restore ${name}`} onClick={() => restore(change, 'all')}>
              Restore
            </Button>
          ) : null}
          {action === 'update' && lines.length > 1 && field === undefined ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Restore all fields: ${name}, ${time}`}
              onClick={() => restore(change, 'all')}
            >
              Restore All Fields
            </Button>
          ) : null}
          {action === 'update'
            ? listSections(parts, lines).map((section) => (
                <Button
                  key={section.field}
                  variant="default"
                  size="compact-sm"
                  classNames={{ root: classes.section, label: classes.sectionName }}
                  aria-label={`Restore the section ${section.title}: ${name}, ${time}`}
                  onClick={() => restore(change, { section })}
                >
                  Restore the section {section.title}
                </Button>
              ))
            : null}
          {action === 'update' ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Restore the whole record to before this change: ${name}, ${time}`}
              onClick={() => restore(change, 'whole')}
            >
              Restore the whole record to before this change
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}
