import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'

import { showMomentTime } from '../../../../platform/contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Change } from '../contract.ts'
import { deedOf, type Line, linesOf, nameOfChanged, sectionsIn, shortened, type Wanted, whoOf } from './changeWords.ts'
import { EMPTY } from './valueWords.ts'

import classes from './ChangeRow.module.css'

/** From here on a text is cut until somebody asks for all of it. */
const LONG = 180

/** A value; a long text is cut, with a button for the rest. */
const Value = ({ text, label, old = false }: { text: string; label: string; old?: boolean }) => {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > LONG || text.split('\n').length > 3
  return (
    <span className={classes.value} data-old={old || undefined} data-empty={text === EMPTY || undefined} data-long={isLong || undefined}>
      <span className={classes.text} data-cut={(isLong && !isWhole) || undefined}>
        {text}
      </span>
      {isLong ? (
        <UnstyledButton
          className={classes.more}
          aria-expanded={isWhole}
          aria-label={`${isWhole ? 'Show less' : 'Show all'} of ${label}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </UnstyledButton>
      ) : null}
    </span>
  )
}

interface LineRowProps {
  line: Line
  action: Change['action']
  onPutBack: (() => void) | undefined
}

/** 'Phone: 209-555-0140 → 209-555-0181'; of what was added or removed just what it held. */
const LineRow = ({ line: { label, from, to }, action, onPutBack }: LineRowProps) => (
  <li className={classes.line}>
    <span className={classes.words}>
      <span className={classes.label}>{label}:</span>{' '}
      {action === 'insert' ? null : <Value text={from} label={label} old={action === 'update'} />}
      {action === 'update' ? (
        <>
          <span aria-hidden className={classes.arrow}>
            {' → '}
          </span>
          <VisuallyHidden> changed to </VisuallyHidden>
        </>
      ) : null}
      {action === 'delete' ? null : <Value text={to} label={label} />}
    </span>
    {onPutBack ? (
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.button}
        aria-label={`Restore ${label}: ${shortened(from)}`}
        onClick={onPutBack}
      >
        Restore
      </Button>
    ) : null}
  </li>
)

/** What was added or removed held many fields, mostly nobody's question. */
const Held = ({ lines, action }: { lines: readonly Line[]; action: Change['action'] }) => (
  <details className={classes.held}>
    <summary>
      {action === 'insert' ? 'Added with' : 'Removed with'} {lines.length === 1 ? '1 field' : `${lines.length} fields`}
    </summary>
    <ul className={classes.lines}>
      {lines.map((line) => (
        <LineRow key={line.field} line={line} action={action} onPutBack={undefined} />
      ))}
    </ul>
  </details>
)

interface ChangeRowProps {
  change: Change
  /** The one field the history is narrowed to: the others are left out. */
  field: string | undefined
  /** Undefined where nothing can be put back. */
  onPutBack: ((change: Change, wanted: Wanted) => void) | undefined
}

/** One change in words, and the ways back to what was before. */
export const ChangeRow = ({ change, field, onPutBack }: ChangeRowProps) => {
  const { action } = change
  const lines = linesOf(change, field)
  const isFolded = action !== 'update' && lines.length > 3
  const put = change.canPutBack ? onPutBack : undefined
  const name = nameOfChanged(change)
  const time = showMomentTime(change.at, configuration.timeZone)
  return (
    <li className={classes.change}>
      <p className={classes.deed}>
        <strong>{whoOf(change)}</strong> {deedOf(change)}
        <time dateTime={change.at} className={classes.time}>
          {time}
        </time>
      </p>
      {isFolded ? (
        <Held lines={lines} action={action} />
      ) : lines.length > 0 ? (
        <ul className={classes.lines}>
          {lines.map((line) => (
            <LineRow
              key={line.field}
              line={line}
              action={action}
              onPutBack={put && action === 'update' ? () => put(change, { line }) : undefined}
            />
          ))}
        </ul>
      ) : null}
      {put ? (
        <div className={classes.ways}>
          {action === 'delete' ? (
            <Button variant="default" size="compact-sm" aria-label={`Restore ${name}`} onClick={() => put(change, 'all')}>
              Restore
            </Button>
          ) : null}
          {action === 'update' && lines.length > 1 && field === undefined ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Restore all fields: ${name}, ${time}`}
              onClick={() => put(change, 'all')}
            >
              Restore All Fields
            </Button>
          ) : null}
          {action === 'update'
            ? sectionsIn(lines).map((section) => (
                <Button
                  key={section.field}
                  variant="default"
                  size="compact-sm"
                  classNames={{ root: classes.section, label: classes.sectionName }}
                  aria-label={`Restore the section ${section.title}: ${name}, ${time}`}
                  onClick={() => put(change, { section })}
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
              onClick={() => put(change, 'whole')}
            >
              Restore the whole record to before this change
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}
