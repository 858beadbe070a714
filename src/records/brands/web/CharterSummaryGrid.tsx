import { Link } from '@tanstack/react-router'

import type { CharterSummary } from '../../../contract/references.ts'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from '../../../platform/web/list/Card.module.css'

const formatNumber = (n: number) => n.toLocaleString('en-US')

const formatStudents = ({ studentCount }: CharterSummary): string =>
  studentCount === null ? 'No student count' : `${formatNumber(studentCount)} ${studentCount === 1 ? 'student' : 'students'}`

const formatSites = ({ siteCount, activeSiteCount }: CharterSummary): string => {
  if (siteCount === 0) return 'No sites'
  const all = `${formatNumber(siteCount)} ${siteCount === 1 ? 'site' : 'sites'}`
  return activeSiteCount === siteCount ? all : `${all}, ${formatNumber(activeSiteCount)} active`
}

const getCardHeight = (_width: number, rem: number) => 8.75 * rem

/** The cards of a brand's charters. The whole card links to the charter. */
export const CharterSummaryGrid = ({ label, charters }: { label: string; charters: readonly CharterSummary[] }) => (
  <CardGrid label={label} records={charters} getKey={(charter) => charter._id} minWidthRem={17} gap={[16, 12]} getHeight={getCardHeight}>
    {(charter) => (
      <article className={`${layoutClasses.card} ${classes.card} ${classes.row}`}>
        <div className={layoutClasses.fillingColumn}>
          <Link to="/charter/$id" params={{ id: charter.slug }} className={classes.name}>
            <span>{charter.name}</span>
          </Link>
          <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>
            {[charter.abbreviation, formatStudents(charter)].filter(Boolean).join(' · ')}
          </p>
          <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>{formatSites(charter)}</p>
          <StatusWord status={charter.status} />
        </div>
      </article>
    )}
  </CardGrid>
)
