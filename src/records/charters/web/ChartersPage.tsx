import { IconSchool } from '@tabler/icons-react'

import { formatMomentDay } from '../../../contract/dates.ts'
import { formatCount, formatNumber } from '../../../contract/format.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { isClosed } from '../../../contract/status.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { RecordCard } from '../../../platform/web/list/RecordCard.tsx'
import { useStatusGroupFilter } from '../../../platform/web/list/status-group-filter.tsx'
import { useNotCheckedFilter } from '../../../platform/web/record-features.tsx'
import { BrandMark } from '../../brands/web/public/BrandMark.tsx'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { useListed } from '../../pages/web/public/use-listed.ts'
import { type ListedKind, useRecordList } from '../../pages/web/public/use-record-list.ts'
import { type Charter, listCharters } from '../contract.ts'
import { buildCharterFilter, CHARTER_LIST } from '../list.ts'
import { CHARTER_COLUMNS, CHARTER_COPIES } from './charter-columns.tsx'
import { useStudentTotal } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './ChartersPage.module.css'

const formatCharterCounts = (charters: readonly Charter[]): string => {
  const closed = charters.filter((charter) => isClosed(charter.status)).length
  return `${formatCount(charters.length, 'charter')}: ${formatNumber(charters.length - closed)} active, ${formatNumber(closed)} closed`
}

const formatShortNames = ({ abbreviation, brandName }: Charter): string => [abbreviation, brandName].filter(Boolean).join(' · ')
const formatNumbers = ({ studentCount, sites }: Charter): string =>
  [studentCount === null ? null : formatCount(studentCount, 'student'), formatCount(sites.length, 'site')].filter(Boolean).join(' · ')

const getCharterPath = ({ slug }: Charter): string => getRecordPath({ kind: 'charter', slug })

const CHARTERS: ListedKind<Charter> = {
  kind: 'charter',
  list: CHARTER_LIST,
  getPath: getCharterPath,
  formatSummary: formatCharterCounts,
  searchLabel: 'Name or abbreviation',
  card: {
    minWidthRem: 18,
    getHeight: (_width, rem) => 7.75 * rem,
    renderCard: (charter) => (
      <RecordCard
        mark={<BrandMark name={charter.brandName} icon={charter.brandIcon} size={32} />}
        name={charter.name}
        to={getCharterPath(charter)}
        lines={[formatShortNames(charter), formatNumbers(charter)]}
        status={charter.status}
      />
    ),
  },
  table: {
    columns: CHARTER_COLUMNS,
    copies: CHARTER_COPIES,
    orderLabel: 'Active charters first',
    isFirst: true,
    getLines: (charter) => [charter.name, formatShortNames(charter), formatCount(charter.sites.length, 'site')],
  },
  icon: IconSchool,
  emptyTitle: 'No charters to display',
}

/** The number of students in all open charters, with its date. */
const StudentTotal = () => {
  const { data } = useStudentTotal()
  if (!data) return null
  return (
    <p className={`${layoutClasses.vertical} ${layoutClasses.alignEnd} ${classes.total}`}>
      <strong>{data.total.toLocaleString('en-US')}</strong>
      <span>students{data.updatedAt ? <>, as of {formatMomentDay(data.updatedAt, configuration.timeZone)}</> : null}</span>
    </p>
  )
}

/** `/charters`: the list of charters, active ones by default. */
export const ChartersPage = () => {
  const list = useRecordList(CHARTERS, {
    query: useListed(listCharters),
    name: 'charters',
    isWhole: true,
    hasArchived: true,
    filters: { status: useStatusGroupFilter(), unchecked: useNotCheckedFilter('charter') },
    buildFilter: buildCharterFilter,
    toRequest: (filters) => ({ list: 'charters', filters }),
  })
  return <RecordListView list={list} title="Charters" aside={<StudentTotal />} />
}
