import { IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatPhone, toTelUrl } from '../../../../../contract/phones.ts'
import { getRecordPath } from '../../../../../contract/records.ts'
import type { RecordHit } from '../../../../../contract/records.ts'
import { RecordMark } from '../../../../../platform/web/kit/RecordMark.tsx'
import { useFavorites, useRecent } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './FavoritesCard.module.css'

/** The home page shows fewer than are stored. */
const MAX_RECENT = 6

const Row = ({ record }: { record: RecordHit }) => {
  const { kind, name, detail, phone } = record
  return (
    <li className={`${layoutClasses.iconAndText} ${layoutClasses.lineAbove} ${layoutClasses.positioned} ${classes.row}`}>
      <RecordMark kind={kind} name={name} />
      <span className={layoutClasses.fillingColumn}>
        <Link
          to={getRecordPath(record)}
          className={`${textClasses.truncated} ${layoutClasses.covering} ${textClasses.strong} ${textClasses.textColor} ${classes.name}`}
        >
          {name}
        </Link>
        <span className={`${textClasses.detail} ${textClasses.truncated}`}>{detail}</span>
      </span>
      {phone ? (
        <a
          href={toTelUrl(phone)}
          className={`${layoutClasses.rigid} ${textClasses.linkColor} ${textClasses.unbroken} ${classes.call}`}
          aria-label={`Call ${name}, ${formatPhone(phone)}`}
        >
          <span className={`${layoutClasses.notOnPhones} ${classes.number}`}>{formatPhone(phone)}</span>
          <IconPhone size={18} stroke={1.75} aria-hidden className={classes.icon} />
        </a>
      ) : null}
    </li>
  )
}

const Records = ({ id, title, records }: { id: string; title: string; records: readonly RecordHit[] }) =>
  records.length === 0 ? null : (
    <section aria-labelledby={id} className={layoutClasses.sectionEnd}>
      <h2 id={id} className={layoutClasses.bottomMargin8}>
        {title}
      </h2>
      <ul className={classes.rows}>
        {records.map((record) => (
          <Row key={`${record.kind} ${record._id}`} record={record} />
        ))}
      </ul>
    </section>
  )

/** Favorites and recently viewed records; nothing while there are none. */
export const FavoritesCard = () => {
  const { data: favorites = [] } = useFavorites()
  const { data: recent = [] } = useRecent()
  return (
    <>
      <Records id="favorites-title" title="Favorites" records={favorites} />
      <Records id="recent-title" title="Recently viewed" records={recent.slice(0, MAX_RECENT)} />
    </>
  )
}
