import { UnstyledButton } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { formatMomentTime } from '../../../../contract/dates.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { truncateText } from '../../../changing/history/rules.ts'
import type { ActivityEntry, ActivityFilter, ActivityRecord } from '../contract.ts'
import { useActivityRecords } from './activity-records.ts'
import { describeEntry, getActivityLink, getRequestText, listEntryLines } from './describe-entry.ts'
import { EntryLineRow } from './EntryLineRow.tsx'
import { useWholeEntry } from './queries.ts'
import { RestoreDialog } from './RestoreDialog.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './EntryRow.module.css'

const SHOWN_LINES = 3
const AUTOMATIC = 'Import or automatic change'

const RecordName = ({ record, act }: { record: ActivityRecord; act: ActivityEntry['act'] }) => {
  const link = getActivityLink(record, act)
  return link === undefined ? (
    <strong>{record.name}</strong>
  ) : (
    <Link {...link} className={textClasses.name}>
      {record.name}
    </Link>
  )
}

/** One entry as a sentence, with the first of its changes. */
export const EntryRow = ({ entry, filter }: { entry: ActivityEntry; filter: ActivityFilter }) => {
  const { parts } = useActivityRecords()
  const [isOpen, setOpen] = useState(false)
  const [isRestoring, setRestoring] = useState(false)
  const isCut = entry.changeCount > entry.changes.length
  const { data: whole } = useWholeEntry(entry._id, filter, isCut && (isOpen || isRestoring))
  const { changeset } = entry
  // A changeset is undone as a whole, even if the filter shows only part of it.
  const { data: saved } = useWholeEntry(entry._id, {}, isRestoring && changeset !== null)
  const mayUndo = useCan('manage the network')
  const mayOpen = useCan('read a history')
  const canUndo = changeset ? mayUndo && !changeset.isUndone : entry.changes.some(({ canRestore }) => canRestore)
  const toRestore = changeset ? saved : isCut ? whole : entry
  const text = getRequestText(entry)
  const title = changeset && changeset.kind !== 'planned' ? changeset.title : null
  const shown = whole ?? entry
  const lines = listEntryLines(parts, shown, configuration.timeZone)
  const { verb, record, end } = describeEntry(parts, entry)
  const isOfMany = record === undefined
  const isUndo = isOfMany || changeset !== null
  const requestLink = record?.kind === 'request' ? getActivityLink(record, entry.act) : undefined
  const name = entry.by ?? AUTOMATIC
  const time = formatMomentTime(entry.at, configuration.timeZone)
  const suggestedBy = [...new Set(entry.changes.flatMap((change) => change.suggestedBy ?? []))]
  const isCheck = entry.act === 'check'
  const count = isCut && !whole ? entry.changeCount : lines.length
  const listed = isOpen ? lines : isOfMany ? [] : lines.slice(0, SHOWN_LINES)
  const others = entry.counts.reduce((sum, { records }) => sum + records, 0) - Math.min(2, entry.records.length)
  const isWaiting =
    entry.records[0]?.kind === 'request' &&
    entry.counts[0]?.action === 'insert' &&
    entry.counts[0].records === 1 &&
    entry.act === 'suggestion'
  return (
    <li className={`${layoutClasses.grid} ${classes.entry}`}>
      <time dateTime={entry.at} className={`${textClasses.caption} ${textClasses.figures} ${layoutClasses.topPadding2} ${classes.time}`}>
        {time}
      </time>
      <span className={classes.avatar}>
        <Avatar name={name} size={36} />
      </span>
      <div className={classes.text}>
        <p className={layoutClasses.breakable}>
          {entry.person ? (
            <Link to={getRecordPath({ kind: 'person', ...entry.person })} className={textClasses.name}>
              {name}
            </Link>
          ) : (
            <strong>{name}</strong>
          )}{' '}
          {verb}
          {record ? (
            <>
              {' '}
              <RecordName record={record} act={entry.act} />
              {end}
            </>
          ) : null}
          {suggestedBy.length > 0 ? (
            <span className={`${textClasses.note} ${layoutClasses.topMargin2}`}>, suggested by {suggestedBy.join(', ')}</span>
          ) : null}
        </p>
        {text === null ? null : (
          <p className={`${textClasses.note} ${layoutClasses.topMargin2}`}>
            {text.startsWith('Suggested: ') ? truncateText(text) : `“${truncateText(text)}”`}
          </p>
        )}
        {title !== null && !isOfMany ? <p className={`${textClasses.note} ${layoutClasses.topMargin2}`}>{title}</p> : null}
        {isCheck ? <p className={`${textClasses.note} ${layoutClasses.topMargin2}`}>Everything is right</p> : null}
        {isWaiting ? (
          <p className={`${layoutClasses.row} ${textClasses.smallFont} ${textClasses.wait} ${classes.waiting}`}>
            <IconClock size={15} stroke={1.75} aria-hidden /> Sent for a decision
          </p>
        ) : null}
        {isOfMany && !isOpen ? (
          <p className={`${textClasses.note} ${layoutClasses.topMargin2}`}>
            {title === null ? '' : `${title} · `}
            {entry.records
              .slice(0, 2)
              .map((one) => one.name)
              .join(', ')}
            {others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''}
          </p>
        ) : null}
        {listed.length > 0 ? (
          <ul
            className={`${textClasses.lines} ${textClasses.smallFont} ${layoutClasses.topMargin2}`}
            aria-label={`What ${name} changed at ${time}`}
          >
            {listed.map((line) => (
              <EntryLineRow key={line.key} line={line} />
            ))}
          </ul>
        ) : null}
      </div>
      <div className={`${layoutClasses.spaced} ${layoutClasses.gap12} ${classes.actions}`}>
        {count > listed.length || (isOpen && count > SHOWN_LINES) ? (
          <UnstyledButton
            className={`${textClasses.link} ${textClasses.smallFont} ${textClasses.unbroken} ${classes.action}`}
            aria-expanded={isOpen}
            aria-label={isOpen ? `Show less of ${name}, ${time}` : `Show ${count} of ${name}, ${time}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show less' : `Show ${count.toLocaleString('en-US')}`}
          </UnstyledButton>
        ) : null}
        {canUndo ? (
          <UnstyledButton
            className={`${textClasses.link} ${textClasses.smallFont} ${textClasses.unbroken} ${classes.action}`}
            aria-label={`${isUndo ? 'Undo' : 'Restore'}: ${name}, ${time}`}
            aria-haspopup="dialog"
            onClick={() => setRestoring(true)}
          >
            {isUndo ? 'Undo' : 'Restore'}
          </UnstyledButton>
        ) : null}
        {changeset && mayOpen ? (
          <Link
            to="/changes/$id"
            params={{ id: changeset._id }}
            className={`${textClasses.link} ${textClasses.smallFont} ${textClasses.unbroken} ${classes.action}`}
            aria-label={`Open the changes: ${name}, ${time}`}
          >
            Open
          </Link>
        ) : null}
        {entry.suggestion ? (
          <Link
            to="/requests/$id"
            params={{ id: entry.suggestion }}
            className={`${textClasses.link} ${textClasses.smallFont} ${textClasses.unbroken} ${classes.action}`}
          >
            Open suggestion
          </Link>
        ) : null}
        {requestLink ? (
          <Link {...requestLink} className={`${textClasses.link} ${textClasses.smallFont} ${textClasses.unbroken} ${classes.action}`}>
            {entry.act === 'suggestion' ? 'Open suggestion' : 'Open request'}
          </Link>
        ) : null}
      </div>
      {isRestoring && toRestore ? <RestoreDialog entry={toRestore} isUndo={isUndo} onClose={() => setRestoring(false)} /> : null}
    </li>
  )
}
