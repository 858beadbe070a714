import { IconAddressBook, IconMessage2Plus, IconPencil, IconQrcode, IconUserShare } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { formatPhone } from '../../../contract/phones.ts'
import { AccessCard } from '../../../features/access/levels/web/public/AccessCard.tsx'
import { getFirstName, isOwnAddress } from '../../../features/access/session/rules.ts'
import { useCan, useUser } from '../../../features/access/session/web/queries.ts'
import { PlannedChangesCard } from '../../../features/record-tools/changesets/web/public/PlannedChangesCard.tsx'
import { CheckCard } from '../../../features/record-tools/checks/web/public/CheckCard.tsx'
import { useCheckIntervals } from '../../../features/record-tools/checks/web/queries.ts'
import { FavoriteToggle } from '../../../features/record-tools/favorites/web/public/FavoriteToggle.tsx'
import { HistoryButton } from '../../../features/record-tools/history/web/public/HistoryButton.tsx'
import { readProfilePhoto } from '../../../features/record-tools/pictures/contract.ts'
import { SuggestedValues, SuggestionsLink } from '../../../features/record-tools/requests/web/public/Suggestions.tsx'
import { getCallUrl } from '../../../platform/web/client.ts'
import { DraftHint, SuggestionDraftHint } from '../../../platform/web/form/DraftHint.tsx'
import { useEditMode } from '../../../platform/web/form/use-edit-mode.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { CallAction, MailAction, TeamsAction } from '../../../platform/web/kit/ContactActions.tsx'
import { MailLink, PhoneLink, TeamsLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { RecordPhoto } from '../../../platform/web/kit/RecordPhoto.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { DepartureButton, DepartureNotice } from '../../departures/web/public/Departure.tsx'
import { DisabledNotice } from '../../departures/web/public/DisabledPeople.tsx'
import { readVcard } from '../contract.ts'
import type { PersonWithSites } from '../contract.ts'
import { personHistory } from '../history.ts'
import { listUnique, groupPositionsBySite } from './positions-by-site.ts'
import type { SitePositions } from './positions-by-site.ts'
import { usePerson } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './PersonPage.module.css'

const PersonForm = lazy(() => import('./PersonForm.tsx').then((module) => ({ default: module.PersonForm })))
const QrCodeModal = lazy(() => import('./QrCodeModal.tsx').then((module) => ({ default: module.QrCodeModal })))

const WithCopy = ({ children, value, what }: { children: ReactNode; value: string | null; what: string }) => (
  <span className={layoutClasses.copied}>
    {children}
    {value ? <CopyButton value={value} what={what} /> : null}
  </span>
)

const toNote = (_id: string, path: string) => <SuggestedValues kind="person" _id={_id} paths={[path]} />

const Contacts = ({ person: { _id, phone, email } }: { person: PersonWithSites }) => (
  <Facts
    variant="line"
    facts={[
      {
        label: 'Phone',
        isOnPhones: phone === null,
        value: (
          <WithCopy value={phone && formatPhone(phone)} what="phone number">
            <PhoneLink phone={phone} variant="prominent" />
          </WithCopy>
        ),
        note: toNote(_id, 'phone'),
      },
      {
        label: 'Email',
        value: email && (
          <WithCopy value={email} what="email address">
            <MailLink email={email} />
          </WithCopy>
        ),
        note: toNote(_id, 'email'),
      },
      ...(email ? [{ label: 'Teams', value: <TeamsLink email={email} />, isOnPhones: false }] : []),
    ]}
  />
)

/** Saves a person as a contact: as a file, or with a QR code. */
const SaveContact = ({ person }: { person: PersonWithSites }) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<{ focus: () => void }>(null)
  return (
    <>
      <HeadAction icon={IconAddressBook} href={getCallUrl(readVcard, { params: { slug: person.slug } })} download>
        Save contact
      </HeadAction>
      <HeadAction ref={button} icon={IconQrcode} onClick={() => setOpen(true)} opensDialog>
        QR code
      </HeadAction>
      {isOpen ? (
        <Suspense>
          <QrCodeModal
            person={person}
            onClose={() => {
              setOpen(false)
              button.current?.focus()
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

const SitePositionsRow = ({ positions: { site, roles } }: { positions: SitePositions }) => (
  <li className={classes.site}>
    <span className={classes.photo}>
      <RecordPhoto src={site.photo} name={site.displayName} shape="4:3" drawn={{ type: site.category, id: site._id }} decorative />
    </span>
    <span className={`${layoutClasses.fillingColumn} ${classes.text}`}>
      <Link to="/location/$slug" params={{ slug: site.slug }} className={`${textClasses.name} ${classes.name}`}>
        {site.displayName}
      </Link>
      <span className={textClasses.detail}>
        {[roles.join(', '), [site.address.city, site.address.state].filter(Boolean).join(', ')].filter(Boolean).join(' · ')}
      </span>
    </span>
    <span className={classes.contacts}>
      <StatusWord status={site.status} />
      <PhoneLink phone={site.address.phone} variant="row" />
    </span>
  </li>
)

const renderLinks = (links: readonly ReactNode[]) => (links.length ? <span className={classes.links}>{links}</span> : null)

const Details = ({ person, positionsBySite }: { person: PersonWithSites; positionsBySite: readonly SitePositions[] }) => (
  <Section title="Details">
    <Facts
      facts={[
        { label: 'Roles', value: person.roles.map((role) => role.name).join(', ') },
        {
          label: 'Region',
          value: renderLinks(
            listUnique(positionsBySite.map(({ site }) => site.region)).map((region) => (
              <TextLink key={region._id} to="/region/$id" params={{ id: region.slug }}>
                {region.name}
              </TextLink>
            )),
          ),
        },
        {
          label: 'Charter',
          value: renderLinks(
            listUnique(positionsBySite.map(({ site }) => site.charter)).map((charter) => (
              <TextLink key={charter._id} to="/charter/$id" params={{ id: charter.slug }}>
                {charter.name}
              </TextLink>
            )),
          ),
        },
        {
          label: 'Fax',
          value: (
            <WithCopy value={person.fax && formatPhone(person.fax)} what="fax number">
              <PhoneLink phone={person.fax} variant="quiet" />
            </WithCopy>
          ),
          note: toNote(person._id, 'fax'),
        },
        { label: 'HR number', value: person.sql_person_id, note: toNote(person._id, 'sql_person_id') },
      ]}
    />
    <LastChanged updatedAt={person.updatedAt} updatedBy={person.updatedBy} />
    <DepartureButton person={person} />
  </Section>
)

const PersonCheck = ({ person, onSuggest }: { person: PersonWithSites; onSuggest: () => void }) => {
  const mayEdit = useCan('edit a person')
  const user = useUser()
  return (
    <CheckCard
      kind="person"
      record={person}
      mayCheck={mayEdit || (user !== null && isOwnAddress(user, person.email))}
      people={[person]}
      onSuggest={onSuggest}
    />
  )
}

const RoleLine = ({ person, positionsBySite }: { person: PersonWithSites; positionsBySite: readonly SitePositions[] }) => {
  const roles = person.roles.map((role) => role.name).join(', ')
  const [only, another] = positionsBySite
  if (!only) return <span>{roles || 'No role assigned'}</span>
  return (
    <span>
      {roles}
      {another ? (
        `, ${positionsBySite.length} sites`
      ) : (
        <>
          ,{' '}
          <TextLink to="/location/$slug" params={{ slug: only.site.slug }} underline="always">
            {only.site.displayName}
          </TextLink>
        </>
      )}
    </span>
  )
}

/** `/staff/{slug}`: contact details, sites and other details of a person. */
export const PersonPage = () => {
  const { slug = '' } = useParams({ strict: false })
  const user = useUser()
  const mayEdit = useCan('edit a person')
  const mayReorganize = useCan('manage the network')
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode()
  const query = usePerson(slug)
  const isChecked = useCheckIntervals().person !== null
  const hasCheck = ({ leftAt }: PersonWithSites) => isChecked && leftAt === null
  useTitle(query.data?.name)
  const back = <BackLink to="/leadership" label="Leadership" />
  return (
    <LoadedRecord query={query} what="person" back={back} skeleton={<DetailSkeleton beside="avatar" />}>
      {(person) => {
        const positionsBySite = groupPositionsBySite(person.locations)
        const photo = getCallUrl(readProfilePhoto, { params: { person: person._id } })
        const draftKey = `person ${person._id}`
        if (isSuggesting || (mayEdit && isEditing))
          return (
            <Suspense fallback={<DetailSkeleton beside="avatar" />}>
              <PersonForm key={person._id} person={person} draftKey={draftKey} onClose={close} />
            </Suspense>
          )
        return (
          <>
            {mayEdit ? <DraftHint key={person._id} name={draftKey} onResume={resume} /> : null}
            <SuggestionDraftHint name={draftKey} onResume={resumeSuggesting} />
            <DetailHead
              back={back}
              banner={
                <>
                  <DepartureNotice person={person} />
                  <DisabledNotice person={person._id} />
                </>
              }
              actions={
                <>
                  <FavoriteToggle kind="person" _id={person._id} />
                  <HistoryButton kind="person" parts={personHistory} _id={person._id} name={person.name} />
                  <SaveContact person={person} />
                  {mayReorganize && positionsBySite.length > 0 ? (
                    <HeadAction
                      icon={IconUserShare}
                      renderRoot={(props) => <Link to="/reorganize" search={{ mode: 'give', from: person.slug }} {...props} />}
                    >
                      Give Sites To…
                    </HeadAction>
                  ) : null}
                </>
              }
              mainAction={
                mayEdit ? (
                  <HeadAction icon={IconPencil} onClick={open}>
                    Edit Info
                  </HeadAction>
                ) : (
                  <HeadAction icon={IconMessage2Plus} onClick={suggest}>
                    Request a Change
                  </HeadAction>
                )
              }
              avatar={<Avatar name={person.name} size={104} photo={photo} />}
              title={person.name}
              line={
                <>
                  <RoleLine person={person} positionsBySite={positionsBySite} />
                  {toNote(person._id, 'name')}
                  {hasCheck(person) ? null : <SuggestionsLink kind="person" _id={person._id} />}
                </>
              }
              phoneAction={person.phone ? <CallAction phone={person.phone} /> : person.email ? <MailAction email={person.email} /> : null}
              phoneActions={
                person.email ? (
                  <>
                    {person.phone ? <MailAction email={person.email} /> : null}
                    <TeamsAction email={person.email} />
                  </>
                ) : null
              }
              facts={<Contacts person={person} />}
              strip={
                <>
                  {hasCheck(person) ? <PersonCheck person={person} onSuggest={suggest} /> : null}
                  <PlannedChangesCard kind="person" _id={person._id} />
                </>
              }
            />
            <WithAside
              aside={
                <>
                  <Details person={person} positionsBySite={positionsBySite} />
                  {user ? <AccessCard person={person} level={user.accessLevel} /> : null}
                </>
              }
            >
              <Section title={`Where to find ${getFirstName(person.name)}`}>
                {positionsBySite.length ? (
                  <ul>
                    {positionsBySite.map((positions) => (
                      <SitePositionsRow key={positions.site._id} positions={positions} />
                    ))}
                  </ul>
                ) : (
                  <p className={classes.none}>No locations to display</p>
                )}
              </Section>
            </WithAside>
          </>
        )
      }}
    </LoadedRecord>
  )
}
