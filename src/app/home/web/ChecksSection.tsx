import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDaysAgo, formatMomentDay } from '../../../contract/dates.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { useConfirmedCheck } from '../../../features/changing/checks/web/public/use-confirmed-check.tsx'
import { configuration } from '../../../platform/web/configuration.ts'
import { SUGGEST } from '../../../platform/web/form/use-edit-mode.ts'
import { RecordMark } from '../../../platform/web/kit/RecordMark.tsx'
import type { Home, SiteFacts } from '../response.ts'
import { useHomeCheck } from './actions.ts'
import { NeedsSection, NeedsRow } from './NeedsSection.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './ChecksSection.module.css'

type RecordToCheck = Home['checks']['first'][number]

const formatLast = ({ checkedAt, checkedBy }: RecordToCheck): string =>
  checkedAt === null
    ? 'Never checked'
    : `Last checked${checkedBy === null ? '' : ` by ${checkedBy}`} on ${formatMomentDay(checkedAt, configuration.timeZone)}, ${formatDaysAgo(checkedAt, configuration.timeZone)}`.replace(
        / on (\S+), on \S+$/,
        ' on $1',
      )

const Facts = ({ facts: { phone, fax, address, hours, leaders } }: { facts: SiteFacts }) => (
  <dl className={`${layoutClasses.grid} ${classes.facts}`}>
    {[
      ['Phone', phone === null ? 'No number on file' : formatPhone(phone)],
      ['Address', address.join('\n') || 'None on file'],
      ['Hours', hours ?? 'None on file'],
      ['Fax', fax === null ? 'No number on file' : formatPhone(fax)],
      ...leaders.map(({ role, people }) => [role, people.join(', ') || 'Vacant']),
    ].map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The first record with the facts to confirm. */
const CheckCard = ({ record, facts, isMain }: { record: RecordToCheck; facts: SiteFacts; isMain: boolean }) => {
  const check = useHomeCheck()
  const { confirmOrCheck, dialog } = useConfirmedCheck(record.kind, record._id, {
    isBusy: check.isPending,
    check: () => check.mutate(record),
  })
  return (
    <li className={`${layoutClasses.card} ${layoutClasses.clipped} ${layoutClasses.blockMargin12}`}>
      <div className={`${layoutClasses.row} ${classes.head}`}>
        <RecordMark kind={record.kind} name={record.name} />
        <span className={layoutClasses.column}>
          <Link to={getRecordPath(record)} className={textClasses.name}>
            {record.name}
          </Link>
          <span className={textClasses.caption}>{formatLast(record)}</span>
        </span>
      </div>
      <Facts facts={facts} />
      <div className={`${layoutClasses.toolbar} ${layoutClasses.lineAbove} ${layoutClasses.railGround} ${classes.foot}`}>
        <Button
          variant={isMain ? 'filled' : 'default'}
          leftSection={<IconCheck size={17} stroke={2} aria-hidden />}
          loading={check.isPending}
          aria-label={`Everything is right: ${record.name}`}
          onClick={() => void confirmOrCheck()}
        >
          Everything is right
        </Button>
        <Button
          component={Link}
          to={getRecordPath(record)}
          search={{ edit: SUGGEST } as never}
          variant="default"
          aria-label={`Something is wrong: ${record.name}`}
        >
          Something is wrong
        </Button>
        <span className={`${textClasses.caption} ${layoutClasses.pushedToEnd}`}>Takes a minute</span>
      </div>
      {dialog}
    </li>
  )
}

/** Records that the user is responsible for and that are due for a check. */
export const ChecksSection = ({ checks: { count, first } }: Pick<Home, 'checks'>) => (
  <NeedsSection id="checks-title" title="My sites to check" count={count}>
    {first.map((record, at) =>
      record.facts && at === 0 ? (
        <CheckCard key={record._id} record={record} facts={record.facts} isMain />
      ) : (
        <NeedsRow
          key={record._id}
          mark={<RecordMark kind={record.kind} name={record.name} />}
          title={<Link to={getRecordPath(record)}>{record.name}</Link>}
          lines={[formatLast(record)]}
          actions={
            <Button component={Link} to={getRecordPath(record)} variant="default" size="compact-md" aria-label={`Check ${record.name}`}>
              Check it
            </Button>
          }
        />
      ),
    )}
  </NeedsSection>
)
