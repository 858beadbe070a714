import { Link } from '@tanstack/react-router'

import { formatMomentTime, toIsoDay } from '../../../../../contract/dates.ts'
import type { HistoryParts } from '../../../../../contract/history.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { CardHead } from '../../../../../platform/web/kit/CardHead.tsx'
import { truncateText } from '../../../../changing/history/rules.ts'
import type { ActivityEntry } from '../../contract.ts'
import { describeEntry, formatActivityDay, getActivityLink, listEntryLines } from '../describe-entry.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

const formatWhen = (at: string): string => {
  const { timeZone } = configuration
  const day = formatActivityDay(toIsoDay(at, timeZone), timeZone)
  return day === 'Today' ? formatMomentTime(at, timeZone) : day
}

/** 'Phone: 661-555-0187', 'changed 3 fields', 'changed 9 sites'. */
const summarize = (parts: HistoryParts, entry: ActivityEntry): string => {
  const { verb, record, end } = describeEntry(parts, entry)
  if (!record) return verb
  const lines = listEntryLines(parts, entry, configuration.timeZone)
  const [line] = lines
  if (entry.act !== 'change' || !line || entry.counts[0]?.action !== 'update') return `${verb.replace(/ (of|at|for|about)$/, '')}${end}`
  if (lines.length > 1) return `${lines.length} fields changed`
  return line.to === null ? line.label : `${line.label}: ${truncateText(line.to)}`
}

interface LatestActivityCardProps {
  readonly parts: HistoryParts
  readonly entries: readonly ActivityEntry[]
  /** Whether they are from the user's own sites and favorites. */
  readonly isOwn: boolean
  readonly mayReadHistory: boolean
}

/** The latest changes, one line each, linking to the history of their record; renders nothing if there are none. */
export const LatestActivityCard = ({ parts, entries, isOwn, mayReadHistory }: LatestActivityCardProps) =>
  entries.length === 0 ? null : (
    <section className={layoutClasses.sectionEnd} aria-labelledby="latest-title">
      <CardHead
        id="latest-title"
        title={isOwn ? 'Latest changes at your sites' : 'Latest changes'}
        all={{ to: '/activity', text: 'All', label: 'All activity' }}
      />
      <ul>
        {entries.map((entry) => {
          const [record] = entry.records
          const link = record && entry.records.length === 1 ? getActivityLink(record, entry.act) : { to: '/activity' }
          const hasHistory = mayReadHistory && record?.slug && entry.records.length === 1
          const name = entry.records.length === 1 ? record?.name : `${record?.name ?? ''} and others`
          return (
            <li key={entry._id} className={`${textClasses.small} ${layoutClasses.lineBelow} ${layoutClasses.blockPadding10}`}>
              <span className={`${layoutClasses.row} ${layoutClasses.spaceBetween} ${layoutClasses.alignBaseline}`}>
                {link ? (
                  <Link
                    to={link.to}
                    search={(hasHistory ? { history: '1' } : (link.search ?? {})) as never}
                    className={`${textClasses.name} ${textClasses.bodyFont}`}
                  >
                    {name}
                  </Link>
                ) : (
                  <span className={`${textClasses.name} ${textClasses.bodyFont}`}>{name}</span>
                )}
                <time dateTime={entry.at} className={`${textClasses.caption} ${layoutClasses.rigid}`}>
                  {formatWhen(entry.at)}
                </time>
              </span>
              <span className={`${layoutClasses.breakable} ${textClasses.dimmed}`}>
                {entry.by ?? 'Import'}: <span className={textClasses.textColor}>{summarize(parts, entry)}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
