import { UnstyledButton } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { formatMomentTime } from '../../../../contract/dates.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import type { ActivityEntry, ActivityFilter, ActivityRecord } from '../contract.ts'
import { useActivityRecords } from './activity-records.ts'
import { describeEntry, getActivityLink, listEntryLines } from './describe-entry.ts'
import { EntryLineRow } from './EntryLineRow.tsx'
import { PutBackDialog } from './PutBackDialog.tsx'
import { useWholeEntry } from './queries.ts'

import classes from './EntryRow.module.css'

const SHOWN_LINES = 3
const AUTOMATIC = 'Import or automatic change'

const RecordName = ({ record }: { record: ActivityRecord }) => {
  const link = getActivityLink(record)
  return link === undefined ? (
    <strong>{record.name}</strong>
  ) : (
    <Link {...link} className={classes.record}>
      {record.name}
    </Link>
  )
}

/** One entry as a sentence, with the first of what it changed. */
export const EntryRow = ({ entry, filter }: { entry: ActivityEntry; filter: ActivityFilter }) => {
  const { parts } = useActivityRecords()
  const [isOpen, setOpen] = useState(false)
  const [isPuttingBack, setPuttingBack] = useState(false)
  const isCut = entry.changeCount > entry.changes.length
  const { data: whole } = useWholeEntry(entry._id, filter, isCut && (isOpen || isPuttingBack))
  const shown = whole ?? entry
  const lines = listEntryLines(parts, shown, configuration.timeZone)
  const { verb, record, end } = describeEntry(parts, entry)
  const isOfMany = record === undefined
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
    <li className={classes.entry}>
      <time dateTime={entry.at} className={classes.time}>
        {time}
      </time>
      <span className={classes.face}>
        <Avatar name={name} size={36} />
      </span>
      <div className={classes.words}>
        <p className={classes.sentence}>
          {entry.person ? (
            <Link to={getRecordPath({ kind: 'person', ...entry.person })} className={classes.record}>
              {name}
            </Link>
          ) : (
            <strong>{name}</strong>
          )}{' '}
          {verb}
          {record ? (
            <>
              {' '}
              <RecordName record={record} />
              {end}
            </>
          ) : null}
          {suggestedBy.length > 0 ? <span className={classes.quiet}>, suggested by {suggestedBy.join(', ')}</span> : null}
        </p>
        {isCheck ? <p className={classes.quiet}>Everything is right</p> : null}
        {isWaiting ? (
          <p className={classes.waiting}>
            <IconClock size={15} stroke={1.75} aria-hidden /> Sent for a decision
          </p>
        ) : null}
        {isOfMany && !isOpen ? (
          <p className={classes.quiet}>
            {entry.records
              .slice(0, 2)
              .map((one) => one.name)
              .join(', ')}
            {others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''}
          </p>
        ) : null}
        {listed.length > 0 ? (
          <ul className={classes.lines} aria-label={`What ${name} changed at ${time}`}>
            {listed.map((line) => (
              <EntryLineRow key={line.key} line={line} />
            ))}
          </ul>
        ) : null}
      </div>
      <div className={classes.actions}>
        {count > listed.length || (isOpen && count > SHOWN_LINES) ? (
          <UnstyledButton
            className={classes.action}
            aria-expanded={isOpen}
            aria-label={isOpen ? `Show less of ${name}, ${time}` : `Show ${count} of ${name}, ${time}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show less' : `Show ${count.toLocaleString('en-US')}`}
          </UnstyledButton>
        ) : null}
        {entry.changes.some(({ canPutBack }) => canPutBack) ? (
          <UnstyledButton
            className={classes.action}
            aria-label={`${isOfMany ? 'Undo' : 'Restore'}: ${name}, ${time}`}
            aria-haspopup="dialog"
            onClick={() => setPuttingBack(true)}
          >
            {isOfMany ? 'Undo' : 'Restore'}
          </UnstyledButton>
        ) : null}
        {record?.kind === 'request' ? (
          <Link to="/requests" search={{ request: record._id } as SearchParams} className={classes.action}>
            Open request
          </Link>
        ) : null}
      </div>
      {isPuttingBack && (whole || !isCut) ? (
        <PutBackDialog entry={shown} isOfMany={isOfMany} onClose={() => setPuttingBack(false)} />
      ) : null}
    </li>
  )
}
