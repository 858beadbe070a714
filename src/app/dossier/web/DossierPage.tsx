import { useParams } from '@tanstack/react-router'

import { getRecordPath } from '../../../contract/records.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { Section } from '../../../platform/web/kit/Section.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import type { CharterWithSites } from '../../../records/charters/contract.ts'
import { useCharter } from '../../../records/charters/web/queries.ts'
import { KEEP_DAYS } from '../rules.ts'
import { DossierForm } from './DossierForm.tsx'
import { DossierRow } from './DossierRow.tsx'
import { useDossiers } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

const Dossiers = ({ charter }: { charter: string }) => (
  <Section title="Dossiers of This Charter">
    <LoadedList query={useDossiers(charter)} skeleton={<RowSkeleton />}>
      {(dossiers) =>
        dossiers.length === 0 ? (
          <p className={textClasses.detail}>No dossiers yet.</p>
        ) : (
          <ul aria-label="Dossiers">
            {dossiers.map((dossier) => (
              <DossierRow key={dossier._id} dossier={dossier} />
            ))}
          </ul>
        )
      }
    </LoadedList>
    <p className={`${textClasses.detail} ${layoutClasses.topMargin16}`}>
      Files are kept for {KEEP_DAYS} days, and each download is in the audit trail. Anyone who has a file can check it at{' '}
      <a href="/verify" className={textClasses.link}>
        {location.origin}/verify
      </a>
      , without an account and also later.
    </p>
  </Section>
)

const Page = ({ charter }: { charter: CharterWithSites }) => (
  <div className={layoutClasses.narrowPage}>
    <BackLink to={getRecordPath({ kind: 'charter_affair', slug: charter.slug })} label={charter.name} />
    <ListHead
      title={`Dossier of ${charter.name}`}
      summary="Everything an authorizer asks for on one day, as a PDF and as workbooks."
      hasAsOf={false}
    />
    <DossierForm charter={charter._id} />
    <Dossiers charter={charter._id} />
  </div>
)

/** `/charter/{id}/dossier`: choose the day, the period and the parts of a dossier, and download it. */
export const DossierPage = () => {
  const { id = '' } = useParams({ strict: false })
  return (
    <LoadedRecord
      query={useCharter(id)}
      what="charter"
      back={<BackLink to={getRecordPath({ kind: 'charter_affair', slug: id })} label="Charter" />}
      skeleton={<RowSkeleton />}
    >
      {(charter) => <Page key={charter._id} charter={charter} />}
    </LoadedRecord>
  )
}
