import { IconAlertCircle, IconCalendarEvent, IconEqual } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDay } from '../../../contract/dates.ts'
import type { BulkRow } from '../../../features/changing/changesets/contract.ts'
import { Tick } from '../../../platform/web/list/Tick.tsx'
import { describeVacated } from './move.ts'
import { PersonSelect } from './PersonSelect.tsx'
import { type Decisions, getHoldersAfter, getSuccessor, type Position, type Successor } from './reorganize.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './ReorganizePage.module.css'

const PositionState = ({ row, isStaying }: { row: BulkRow | undefined; isStaying: boolean }) => {
  if (!row || isStaying) return null
  if (row.state === 'error')
    return (
      <span className={`${layoutClasses.topRow} ${textClasses.caption} ${classes.state}`} data-tone="bad">
        <IconAlertCircle size={15} stroke={1.75} aria-hidden />
        {row.errors.map(({ message }) => message).join('. ')}
      </span>
    )
  if (row.plannedFor !== null)
    return (
      <span className={`${layoutClasses.topRow} ${textClasses.caption} ${classes.state}`} data-tone="wait">
        <IconCalendarEvent size={15} stroke={1.75} aria-hidden />
        Left out: already planned from {formatDay(row.plannedFor)}
      </span>
    )
  if (row.state === 'unchanged')
    return (
      <span className={`${layoutClasses.topRow} ${textClasses.caption} ${classes.state}`}>
        <IconEqual size={15} stroke={1.75} aria-hidden />
        Unchanged
      </span>
    )
  return null
}

interface PositionRowProps {
  position: Position
  /** Sites appear once per role, so the role is shown. */
  hasRole: boolean
  decisions: Decisions
  row: BulkRow | undefined
  isLater: boolean
  onStay: (stays: boolean) => void
  onChoose: (successor: Successor) => void
}

/** One position: whether it changes, and who gets it. */
export const PositionRow = ({ position, hasRole, decisions, row, isLater, onStay, onChoose }: PositionRowProps) => {
  const { site, role, holders, leaver, successor: common } = position
  const isStaying = decisions.stays.has(position.key)
  const successor = getSuccessor(position, decisions)
  const isVacant = successor === 'vacant'
  const before = leaver?.name ?? (holders.map(({ name }) => name).join(', ') || 'Vacant')
  return (
    <tr data-stays={isStaying || undefined}>
      <td className={classes.tick}>
        <Tick label={`Change ${role} of ${site.displayName}`} checked={!isStaying} onTick={() => onStay(!isStaying)} />
      </td>
      <th scope="row">
        <Link to="/location/$slug" params={{ slug: site.slug }}>
          {site.displayName}
        </Link>
        {hasRole ? <span className={`${textClasses.caption} ${layoutClasses.block}`}>{role}</span> : null}
      </th>
      <td>{[site.city, site.state].filter(Boolean).join(', ')}</td>
      <td className={textClasses.dimmed}>{before}</td>
      <td className={classes.choice}>
        {isStaying ? (
          <span className={textClasses.dimmed}>{holders.length === 0 ? 'Vacant, stays' : `${before}, stays`}</span>
        ) : (
          <PersonSelect
            label={`New ${role} of ${site.displayName}`}
            chosen={isVacant ? null : successor}
            isVacant={isVacant}
            isOther={isVacant || (successor !== null && successor._id !== common?._id)}
            excludedId={leaver?._id}
            onChoose={onChoose}
            onLeaveVacant={holders.length > 0 ? () => onChoose('vacant') : undefined}
          />
        )}
        <PositionState row={row} isStaying={isStaying} />
        {isVacant && row?.state === 'change' && row.plannedFor === null ? (
          <span className={textClasses.caption}>{describeVacated(position, getHoldersAfter(position, decisions), isLater)}</span>
        ) : null}
      </td>
    </tr>
  )
}
