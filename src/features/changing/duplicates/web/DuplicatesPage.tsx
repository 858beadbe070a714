import { Button } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { capitalize, formatCount } from '../../../../contract/format.ts'
import { DUPLICATE_KINDS, getRecordPath, RECORD_LABELS, RECORD_NOUNS, type RecordHit } from '../../../../contract/records.ts'
import { EmptyLinks } from '../../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { RecordMark } from '../../../../platform/web/kit/RecordMark.tsx'
import { StatusBadge } from '../../../../platform/web/kit/StatusBadge.tsx'
import { Chips, Filters, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { formatSearch, useSearchParams } from '../../../../platform/web/search-params.ts'
import { type Duplicate, MAX_DUPLICATES } from '../contract.ts'
import { Reasons } from './public/Reasons.tsx'
import { useDismissal, useDuplicates } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DuplicatesPage.module.css'

const Side = ({ record }: { record: RecordHit }) => (
  <div className={`${layoutClasses.topRow} ${layoutClasses.shrinkable} ${layoutClasses.gap12}`}>
    <RecordMark kind={record.kind} name={record.name} size={36} />
    <div className={`${layoutClasses.content} ${layoutClasses.breakable}`}>
      <Link to={getRecordPath(record)} className={`${textClasses.name} ${textClasses.strong}`}>
        {record.name}
      </Link>
      <p className={textClasses.note}>{[record.detail, record.phone, record.email].filter(Boolean).join(' · ') || 'No details'}</p>
      {record.status === null || record.status === 'ACTIVE' ? null : <StatusBadge status={record.status} />}
    </div>
  </div>
)

const DuplicateRow = ({ pair: { kind, a, b, reasons } }: { pair: Duplicate }) => {
  const dismissal = useDismissal()
  const names = `${a.name} and ${b.name}`
  return (
    <li className={`${layoutClasses.card} ${classes.row}`} aria-label={names}>
      <div className={`${layoutClasses.grid} ${classes.sides}`}>
        <Side record={a} />
        <Side record={b} />
      </div>
      <div className={`${layoutClasses.spaceBetween} ${classes.foot}`}>
        <Reasons reasons={reasons} />
        <div className={`${layoutClasses.buttons} ${layoutClasses.pushedToEnd} ${classes.buttons}`}>
          <Button
            variant="default"
            aria-label={`Not the same ${RECORD_NOUNS[kind][0]}: ${names}`}
            loading={dismissal.isPending}
            onClick={() => dismissal.mutate({ kind, a: a._id, b: b._id })}
          >
            Not the Same
          </Button>
          <Button component={Link} to={`/merge${formatSearch({ kind, keep: a._id, merge: b._id })}`} aria-label={`Compare ${names}`}>
            Compare
          </Button>
        </div>
      </div>
    </li>
  )
}

/** `/duplicates`: pairs of records that are probably one. */
export const DuplicatesPage = () => {
  const [address, change] = useSearchParams()
  const kind = DUPLICATE_KINDS.find((one) => one === address['kind'])
  const query = useDuplicates()
  const shown = query.data?.filter((pair) => kind === undefined || pair.kind === kind) ?? []
  const words = kind === undefined ? 'records' : RECORD_NOUNS[kind][1]
  return (
    <>
      <ListHead
        title="Duplicates"
        summary={
          query.data &&
          `${query.data.length === MAX_DUPLICATES ? 'The first ' : ''}${formatCount(shown.length, ['pair', 'pairs'])} that may be one, best first`
        }
        failed={query.isError}
      />
      <Filters>
        <Chips label="Filters">
          {DUPLICATE_KINDS.map((one) => (
            <FilterToggle
              key={one}
              label={RECORD_LABELS[one]}
              on={kind === one}
              onToggle={(on) => change({ kind: on ? one : undefined })}
            />
          ))}
        </Chips>
      </Filters>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          shown.length === 0 ? (
            <EmptyState icon={IconCopyCheck} title="No duplicates">
              <p>{capitalize(words)} that have the same phone, street or number and similar names are listed here.</p>
              <EmptyLinks links={[{ label: 'Open Resource Centers', to: '/locations' }]} />
            </EmptyState>
          ) : (
            <ul className={`${layoutClasses.stack} ${layoutClasses.topMargin16}`}>
              {shown.map((pair) => (
                <DuplicateRow key={`${pair.a._id} ${pair.b._id}`} pair={pair} />
              ))}
            </ul>
          )
        }
      </LoadedList>
    </>
  )
}
