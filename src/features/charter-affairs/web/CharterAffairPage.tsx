import { useParams } from '@tanstack/react-router'

import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { StatusBadge } from '../../../platform/web/kit/StatusBadge.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { HistoryCard } from '../../history/web/HistoryCard.tsx'
import type { CharterAffair, CharterWithAffair } from '../contract.ts'
import { AffairSkeleton } from './AffairSkeleton.tsx'
import { NoAffair } from './NoAffair.tsx'
import { useCharterAffair } from './queries.ts'
import { ReadAffair } from './ReadAffair.tsx'

import classes from './affair.module.css'

/** The newest change of the record or of a row of its tables. */
const newestChange = (affair: CharterAffair): { updatedAt: string; updatedBy: string | null } =>
  [affair, ...affair.authorizer_board_member, ...affair.center_district].reduce((newest, one) =>
    Date.parse(one.updatedAt) > Date.parse(newest.updatedAt) ? one : newest,
  )

const Back = ({ slug, name }: { slug: string; name: string }) => <BackLink to={`/charter/${encodeURIComponent(slug)}`} label={name} />

const Page = ({ charter }: { charter: CharterWithAffair }) => {
  const affair = charter.charter_affair_info[0]
  return (
    <>
      <DetailHead
        back={<Back slug={charter.slug} name={charter.name} />}
        actions={affair ? <HistoryCard kind="charter_affair" _id={charter._id} name={`the charter affair of ${charter.name}`} /> : null}
        title={charter.name}
        line={
          <>
            <StatusBadge status={charter.status} />
            <span>Charter Affair</span>
          </>
        }
      />
      {affair ? (
        <>
          <div className={classes.changed}>
            <LastChanged {...newestChange(affair)} />
          </div>
          <ReadAffair key={affair._id} affair={affair} />
        </>
      ) : (
        <NoAffair charter={charter} />
      )}
    </>
  )
}

/** The legal record of a charter, read only (section 2). Its route lets level 6 and lower in (D12). */
export const CharterAffairPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useCharterAffair(id)
  useTitle(query.data && `Charter Affair, ${query.data.name}`)
  return (
    <LoadedRecord query={query} what="charter" back={<Back slug={id} name="Charter" />} skeleton={<AffairSkeleton />}>
      {(charter) => <Page charter={charter} />}
    </LoadedRecord>
  )
}
