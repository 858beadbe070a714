import { IconAddressBook, IconMessage2Plus, IconPencil, IconQrcode, IconUserShare } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'

import { isErasedName } from '../../../contract/erased-names.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { readProfilePhoto } from '../../../contract/pictures.ts'
import { getRecordPath } from '../../../contract/records.ts'
import type { Named } from '../../../contract/references.ts'
import { getFirstName } from '../../../contract/user.ts'
import { useCan, useIsOwnAddress, useUser } from '../../../platform/web/caller.ts'
import { getCallUrl } from '../../../platform/web/client.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { CallAction, MailAction, TeamsAction, TextAction } from '../../../platform/web/kit/ContactActions.tsx'
import { MailLink, PhoneLink, TeamsLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { WithCopy } from '../../../platform/web/kit/CopyButton.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { RecordPhoto } from '../../../platform/web/kit/RecordPhoto.tsx'
import { Section, WithAside } from '../../../platform/web/kit/Section.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { useDialogOpener } from '../../../platform/web/kit/use-dialog-opener.ts'
import {
  AccessCard,
  CheckCard,
  MoveAction,
  SuggestedValues,
  DepartureButton,
  DepartureNotice,
  DisabledNotice,
  EraseButton,
} from '../../../platform/web/record-features.tsx'
import { RecordPage } from '../../pages/web/public/RecordPage.tsx'
import { readVcard, type PersonWithSites } from '../contract.ts'
import { personHistory } from '../history.ts'
import { listUnique, groupPositionsBySite, type SitePositions } from './positions-by-site.ts'
import { usePerson } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './PersonPage.module.css'

const PersonForm = lazy(() => import('./PersonForm.tsx').then((module) => ({ default: module.PersonForm })))
const QrCodeModal = lazy(() => import('./QrCodeModal.tsx').then((module) => ({ default: module.QrCodeModal })))

const toNote = (_id: string, path: string) => <SuggestedValues kind="person" _id={_id} paths={[path]} />

const Contacts = ({ person: { _id, phone, email } }: { person: PersonWithSites }) => {
  const isOwn = useIsOwnAddress(email)
  return (
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
        ...(email && !isOwn ? [{ label: 'Teams', value: <TeamsLink email={email} />, isOnPhones: false }] : []),
      ]}
    />
  )
}

/** Saves a person as a contact: as a file, or with a QR code. */
const SaveContact = ({ person }: { person: PersonWithSites }) => {
  const { isOpen, opener, open, close } = useDialogOpener<{ focus: () => void }>()
  return (
    <>
      <HeadAction icon={IconAddressBook} isBrief href={getCallUrl(readVcard, { params: { slug: person.slug } })} download>
        Save contact
      </HeadAction>
      <HeadAction ref={opener} icon={IconQrcode} isBrief worksOffline onClick={open} opensDialog>
        QR code
      </HeadAction>
      {isOpen ? (
        <Suspense>
          <QrCodeModal person={person} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}

const SitePositionsRow = ({ positions: { site, roles } }: { positions: SitePositions }) => (
  <li className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${layoutClasses.blockPadding10} ${classes.site}`}>
    <span className={`${layoutClasses.rigid} ${classes.photo}`}>
      <RecordPhoto src={site.photo} name={site.displayName} shape="4:3" drawn={{ type: site.category, id: site._id }} decorative />
    </span>
    <span className={`${layoutClasses.fillingColumn} ${textClasses.lines}`}>
      <Link to="/location/$slug" params={{ slug: site.slug }} className={`${textClasses.name} ${classes.name}`}>
        {site.displayName}
      </Link>
      <span className={textClasses.detail}>
        {[roles.join(', '), [site.address.city, site.address.state].filter(Boolean).join(', ')].filter(Boolean).join(' · ')}
      </span>
    </span>
    <span className={`${layoutClasses.row} ${layoutClasses.rigid} ${classes.contacts}`}>
      <StatusWord status={site.status} />
      <PhoneLink phone={site.address.phone} variant="row" />
    </span>
  </li>
)

/** Links to the records of the sites; null for none. */
const renderLinks = (kind: 'region' | 'charter', records: readonly ((Named & { slug: string }) | null)[]) => {
  const links = listUnique(records)
  return links.length > 0 ? (
    <span className={`${layoutClasses.topRow} ${layoutClasses.vertical} ${layoutClasses.gap4}`}>
      {links.map(({ _id, slug, name }) => (
        <TextLink key={_id} to={getRecordPath({ kind, slug })}>
          {name}
        </TextLink>
      ))}
    </span>
  ) : null
}

const toPersonal = ({ _id, name }: PersonWithSites) => ({ kind: 'person', _id, name }) as const

const Details = ({ person, positionsBySite }: { person: PersonWithSites; positionsBySite: readonly SitePositions[] }) => (
  <Section title="Details">
    <Facts
      facts={[
        { label: 'Roles', value: person.roles.map((role) => role.name).join(', ') },
        {
          label: 'Region',
          value: renderLinks(
            'region',
            positionsBySite.map(({ site }) => site.region),
          ),
        },
        {
          label: 'Charter',
          value: renderLinks(
            'charter',
            positionsBySite.map(({ site }) => site.charter),
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
    <EraseButton record={toPersonal(person)} />
  </Section>
)

const PersonCheck = ({ person, onSuggest }: { person: PersonWithSites; onSuggest: () => void }) => {
  const mayEdit = useCan('edit a person')
  const isOwn = useIsOwnAddress(person.email)
  return <CheckCard kind="person" record={person} mayCheck={mayEdit || isOwn} people={[person]} onSuggest={onSuggest} />
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
  const mayReorganize = useCan('manage the network')
  const query = usePerson(slug)
  const isErased = query.data !== undefined && isErasedName('person', query.data.name)
  const mayEdit = useCan('edit a person') && !isErased
  const positionsBySite = useMemo(() => groupPositionsBySite(query.data?.locations ?? []), [query.data])
  return (
    <RecordPage
      kind="person"
      query={query}
      getName={({ name }) => name}
      history={personHistory}
      renderBack={() => <BackLink to="/leadership" label="Leadership" />}
      beside="avatar"
      form={{ mayEdit, View: PersonForm }}
      renderHead={(person, { open, suggest }) => ({
        banner: (
          <>
            <DepartureNotice person={person} />
            <DisabledNotice person={person._id} />
          </>
        ),
        actions: (
          <>
            <SaveContact person={person} />
            {positionsBySite.length > 0 ? <MoveAction person={person} isUnassigned={false} /> : null}
            {mayReorganize && positionsBySite.length > 0 ? (
              <HeadAction
                icon={IconUserShare}
                renderRoot={(link) => <Link to="/reorganize" search={{ mode: 'give', from: person.slug }} {...link} />}
              >
                Give Sites To…
              </HeadAction>
            ) : null}
          </>
        ),
        mainAction: isErased ? null : mayEdit ? (
          <HeadAction icon={IconPencil} onClick={open}>
            Edit Info
          </HeadAction>
        ) : (
          <HeadAction icon={IconMessage2Plus} worksOffline onClick={suggest}>
            Request a Change
          </HeadAction>
        ),
        avatar: (
          <Avatar
            name={person.name}
            size={104}
            photo={isErased ? null : getCallUrl(readProfilePhoto, { params: { person: person._id } })}
          />
        ),
        line: (
          <>
            <RoleLine person={person} positionsBySite={positionsBySite} />
            {toNote(person._id, 'name')}
          </>
        ),
        phoneAction: person.phone ? <CallAction phone={person.phone} /> : person.email ? <MailAction email={person.email} /> : null,
        phoneActions: (
          <>
            {person.phone ? <TextAction phone={person.phone} /> : null}
            {person.phone && person.email ? <MailAction email={person.email} /> : null}
            {person.email ? <TeamsAction email={person.email} /> : null}
          </>
        ),
        facts: <Contacts person={person} />,
        check: person.leftAt === null ? <PersonCheck person={person} onSuggest={suggest} /> : null,
      })}
    >
      {(person) => (
        <WithAside
          aside={
            <>
              <Details person={person} positionsBySite={positionsBySite} />
              {user ? <AccessCard person={person} level={user.accessLevel} /> : null}
            </>
          }
        >
          <Section title={isErased ? 'Sites' : `Where to find ${getFirstName(person.name)}`}>
            {positionsBySite.length ? (
              <ul>
                {positionsBySite.map((positions) => (
                  <SitePositionsRow key={positions.site._id} positions={positions} />
                ))}
              </ul>
            ) : (
              <>
                <p className={`${layoutClasses.lineAbove} ${textClasses.dimmed} ${layoutClasses.blockPadding14}`}>
                  No locations to display
                </p>
                <MoveAction person={person} isUnassigned />
              </>
            )}
          </Section>
        </WithAside>
      )}
    </RecordPage>
  )
}
