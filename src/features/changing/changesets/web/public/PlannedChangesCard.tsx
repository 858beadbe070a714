import { IconCalendarEvent } from '@tabler/icons-react'

import type { RecordPanelsProps } from '../../../../../platform/web/record-features.tsx'
import { PlannedRows } from '../PlannedRows.tsx'
import { usePlannedChanges } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './PlannedChangesCard.module.css'

const ROLES = 'roles.'

/** What will change in a record on a later day, for users who may plan changes; for a person, also their roles at sites. */
export const PlannedChangesCard = ({ kind, _id, prefix = '' }: RecordPanelsProps) => {
  const plans = usePlannedChanges(kind === 'person' ? { person: _id } : { kind, record: _id }).filter(
    ({ record, fields }) =>
      // What is planned for other records changes roles.
      (record._id !== _id && prefix === ROLES) || fields.some(({ path }) => path.startsWith(prefix)),
  )
  if (plans.length === 0) return null
  return (
    <section className={`${layoutClasses.framed} ${classes.card}`} aria-labelledby={`planned-${_id}`} data-print="no">
      <h2 id={`planned-${_id}`} className={`${layoutClasses.row} ${layoutClasses.bottomMargin8} ${textClasses.bodyFont} ${classes.title}`}>
        <IconCalendarEvent size={18} stroke={1.75} aria-hidden />
        Planned changes
      </h2>
      <PlannedRows plans={plans} record={_id} />
    </section>
  )
}
