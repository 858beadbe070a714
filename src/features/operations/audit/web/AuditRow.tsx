import { Button } from '@mantine/core'

import { formatMomentTime } from '../../../../contract/dates.ts'
import { formatNumber } from '../../../../contract/format.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { ExpandableRow } from '../../../../platform/web/kit/ExpandableRow.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import type { AuditEntry, AuditEvent } from '../contract.ts'
import {
  formatEventActor,
  formatFieldName,
  formatEventValue,
  getKindLabel,
  listEventValues,
  summarizeEntry,
  type EventValue,
} from './format-event.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AuditRow.module.css'

const Value = ({ value }: { value: EventValue }) => (
  <li>
    <span className={textClasses.strong}>{formatFieldName(value.field)}:</span>{' '}
    {value.before === undefined ? null : <span className={textClasses.dimmed}>{formatEventValue(value.before)}</span>}
    {value.before === undefined || value.after === undefined ? null : <span className={textClasses.dimmed}> → </span>}
    {value.after === undefined ? null : <span>{formatEventValue(value.after)}</span>}
  </li>
)

const Fact = ({ label, text }: { label: string; text: string | null }) =>
  text === null ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )

/** The page of the record that an event is about. */
const getRecordPage = ({ kind, record }: AuditEvent): { name: string; to: string } | undefined => {
  if (record === null) return undefined
  if (kind === 'charter_affair.read')
    return { name: 'Open the charter affair', to: getRecordPath({ kind: 'charter_affair', slug: record }) }
  if (kind.startsWith('departure.')) return { name: 'Open the person', to: getRecordPath({ kind: 'person', slug: record }) }
  return undefined
}

interface AuditRowProps {
  readonly event: AuditEntry
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  /** Filters by one person. */
  readonly onActor: (actor: string) => void
  /** Shows each of the reads that are counted as one. */
  readonly onEach: (event: AuditEntry) => void
}

const Details = ({ event, onActor, onEach }: Pick<AuditRowProps, 'event' | 'onActor' | 'onEach'>) => {
  const { account, actor, address, request, record, sequence, hash, at, kind, reads } = event
  const ofLatest = reads === null ? '' : ' of the latest'
  const page = getRecordPage(event)
  const values = listEventValues(event)
  return (
    <div className={classes.details}>
      {values.length > 0 ? (
        <ul
          className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.smallFont} ${layoutClasses.bottomMargin12}`}
          aria-label="Values"
        >
          {values.map((value) => (
            <Value key={value.field} value={value} />
          ))}
        </ul>
      ) : null}
      <dl className={`${layoutClasses.grid} ${classes.facts}`}>
        <Fact label="Email" text={actor} />
        <Fact label="Network address" text={address} />
        <Fact label="Record" text={record} />
        <Fact label="Request" text={request} />
        <Fact label="Kind" text={kind} />
        <Fact label={`Moment${ofLatest}`} text={at} />
        <Fact label={`Row${ofLatest}`} text={String(sequence)} />
        <Fact label={`Hash${ofLatest}`} text={hash} />
      </dl>
      <p className={`${layoutClasses.toolbar} ${textClasses.smallFont} ${classes.links}`}>
        {reads === null ? null : (
          <Button variant="default" size="compact-sm" onClick={() => onEach(event)}>
            Show each of the {formatNumber(reads.count)}
          </Button>
        )}
        {actor === null ? null : (
          <Button variant="default" size="compact-sm" onClick={() => onActor(actor)}>
            Only this person
          </Button>
        )}
        {account === null ? null : (
          <TextLink to="/accounts/$id" params={{ id: account }}>
            Sign-ins of this person
          </TextLink>
        )}
        {page ? <TextLink to={page.to}>{page.name}</TextLink> : null}
      </p>
    </div>
  )
}

/** One event, which expands to show all details. */
export const AuditRow = ({ event, isOpen, onToggle, onActor, onEach }: AuditRowProps) => (
  <ExpandableRow
    isOpen={isOpen}
    onToggle={onToggle}
    label={<span>{getKindLabel(event.kind)}</span>}
    headClassName={classes.head}
    head={
      <>
        <span className={`${layoutClasses.content} ${textClasses.dimmed} ${textClasses.figures} ${classes.time}`}>
          {formatMomentTime(event.at, configuration.timeZone)}
        </span>
        <span className={`${layoutClasses.content} ${classes.summary}`}>{summarizeEntry(event, configuration.timeZone)}</span>
        <span className={`${layoutClasses.content} ${classes.actor}`}>{formatEventActor(event)}</span>
        <span className={`${textClasses.caption} ${layoutClasses.content} ${classes.address}`}>{event.address}</span>
      </>
    }
  >
    <Details event={event} onActor={onActor} onEach={onEach} />
  </ExpandableRow>
)
