import { Link } from '@tanstack/react-router'

import { formatCount } from '../../../contract/format.ts'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import type { Charter } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from '../../../platform/web/list/Card.module.css'

const getCardHeight = (_width: number, rem: number) => 7.75 * rem

const formatNumbers = ({ studentCount, sites }: Charter): string =>
  [studentCount === null ? null : formatCount(studentCount, 'student'), formatCount(sites.length, 'site')].filter(Boolean).join(' · ')

const getKey = ({ _id }: Charter): string => _id
const renderCard = (charter: Charter) => (
  <article className={`${layoutClasses.card} ${classes.card} ${classes.row}`}>
    <BrandMark name={charter.brandName} icon={charter.brandIcon} size={32} />
    <div className={layoutClasses.fillingColumn}>
      <Link to="/charter/$id" params={{ id: charter.slug }} className={classes.name}>
        <span>{charter.name}</span>
      </Link>
      <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>
        {[charter.abbreviation, charter.brandName].filter(Boolean).join(' · ')}
      </p>
      <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>{formatNumbers(charter)}</p>
      <StatusWord status={charter.status} />
    </div>
  </article>
)

/** Charters as cards. */
export const CharterCards = ({ charters }: { charters: readonly Charter[] }) => (
  <CardGrid label="Charters" records={charters} getKey={getKey} minWidthRem={18} getHeight={getCardHeight}>
    {renderCard}
  </CardGrid>
)
