import { IconDots, IconFile, IconLifebuoy, IconLogout, IconMail, IconMessage, IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { toMailtoUrl, toTeamsChatUrl } from '../../../../contract/emails.ts'
import { formatPhone, toTelUrl } from '../../../../contract/phones.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { STATUS_LABELS } from '../../../../contract/status.ts'
import { highlightPhone, highlightText } from '../../../../platform/web/highlight.ts'
import { HighlightedText } from '../../../../platform/web/kit/HighlightedText.tsx'
import { IconTile, RecordMark } from '../../../../platform/web/kit/RecordMark.tsx'
import { StatusBadge } from '../../../../platform/web/kit/StatusBadge.tsx'
import { isNarrow } from '../../../../platform/web/narrow.ts'
import { parseSearch } from '../../../../platform/web/search-params.ts'
import type { ActionHit } from '../contract.ts'
import type { Hit } from './palette-groups.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './HitRow.module.css'

const SIZE = 36

const HitIcon = ({ hit }: { hit: Hit }) => {
  if (hit.kind === 'page') return <IconTile icon={IconFile} size={SIZE} />
  if (hit.kind === 'action') return <IconTile icon={hit.action === 'support' ? IconLifebuoy : IconLogout} size={SIZE} />
  return <RecordMark kind={hit.kind} name={hit.name} size={SIZE} />
}

const getPhone = (hit: Hit): string | null => ('phone' in hit ? hit.phone : null)
const getEmail = (hit: Hit): string | null => ('email' in hit ? hit.email : null)

/** Buttons to call, email or message a person. Only those of the selected row are tab stops. */
const ContactButtons = ({ hit, selected, onMore }: { hit: Hit; selected: boolean; onMore: () => void }) => {
  const [phone, email] = [getPhone(hit), getEmail(hit)]
  if (!phone && !email) return null
  const tabIndex = selected ? 0 : -1
  return (
    <span className={classes.contactActions} data-selected={selected || undefined} data-wide={email !== null || undefined}>
      {phone ? (
        <a
          href={toTelUrl(phone)}
          className={classes.button}
          tabIndex={tabIndex}
          data-call
          aria-label={`Call ${hit.name}`}
          title={formatPhone(phone)}
        >
          <IconPhone size={17} stroke={1.75} aria-hidden />
        </a>
      ) : null}
      {email ? (
        <>
          <a href={toMailtoUrl(email)} className={classes.button} tabIndex={tabIndex} aria-label={`Email ${hit.name}`} title={email}>
            <IconMail size={17} stroke={1.75} aria-hidden />
          </a>
          <a
            href={toTeamsChatUrl(email)}
            target="_blank"
            rel="noreferrer"
            className={classes.button}
            tabIndex={tabIndex}
            aria-label={`Message ${hit.name} in Teams`}
            title="Message in Teams"
          >
            <IconMessage size={17} stroke={1.75} aria-hidden />
          </a>
          <button type="button" className={classes.more} tabIndex={-1} aria-label={`More ways to contact ${hit.name}`} onClick={onMore}>
            <IconDots size={17} stroke={1.75} aria-hidden />
          </button>
        </>
      ) : null}
    </span>
  )
}

interface HitRowProps {
  id: string
  hit: Hit
  typed: string
  /** The matched words from the response. */
  marks: readonly string[]
  /** The past day of the results; null for that of this page. */
  on: string | null
  selected: boolean
  onSelect: () => void
  onAction: (action: ActionHit['action']) => void
}

/** On phones, where there is no room for every number: the one that was typed. */
const FoundNumber = ({ hit, typed }: Pick<HitRowProps, 'hit' | 'typed'>) => {
  const phone = getPhone(hit)
  const segments = phone ? highlightPhone(formatPhone(phone), typed) : []
  return segments.some(({ isHighlighted }) => isHighlighted) ? (
    <span className={`${textClasses.detail} ${classes.onPhones}`}>
      <HighlightedText segments={segments} />
    </span>
  ) : null
}

const HitText = ({ hit, typed, marks }: Pick<HitRowProps, 'hit' | 'typed' | 'marks'>) => (
  <span className={layoutClasses.fillingColumn}>
    <span className={`${textClasses.truncated} ${textClasses.lines} ${textClasses.strong}`}>
      <HighlightedText segments={highlightText(hit.name, typed, marks)} />
    </span>
    <span className={`${textClasses.detail} ${textClasses.truncated} ${classes.detail}`}>
      {'status' in hit && hit.status ? <span className={classes.onPhones}>{STATUS_LABELS[hit.status]} · </span> : null}
      <HighlightedText segments={highlightText(hit.detail, typed, marks)} />
    </span>
    <FoundNumber hit={hit} typed={typed} />
  </span>
)

/** The link or button of a hit, selected by arrow keys and opened by Enter. */
const HitLink = ({ hit, on, onAction, children }: Pick<HitRowProps, 'hit' | 'on' | 'onAction'> & { children: ReactNode }) => {
  if (hit.kind === 'action')
    return (
      <button
        type="button"
        tabIndex={-1}
        data-hit
        className={`${layoutClasses.row} ${layoutClasses.fullWidth} ${layoutClasses.rounded} ${classes.link}`}
        onClick={() => onAction(hit.action)}
      >
        {children}
      </button>
    )
  const [path = '/', search = ''] = (hit.kind === 'page' ? hit.to : getRecordPath(hit)).split('?')
  return (
    <Link
      to={path}
      search={{ ...parseSearch(search), ...(on === null ? {} : { on }) }}
      tabIndex={-1}
      data-hit
      className={`${layoutClasses.row} ${layoutClasses.fullWidth} ${layoutClasses.rounded} ${classes.link}`}
      preload={false}
    >
      {children}
    </Link>
  )
}

/** One hit with name, detail, phone and status. */
export const HitRow = ({ id, hit, typed, marks, on, selected, onSelect, onAction }: HitRowProps) => {
  const phone = getPhone(hit)
  const status = 'status' in hit ? hit.status : null
  return (
    <div
      id={id}
      role="row"
      aria-selected={selected}
      className={`${layoutClasses.positioned} ${layoutClasses.rounded} ${layoutClasses.flex} ${layoutClasses.alignCenter} ${classes.row}`}
      // On a narrow screen a selected row expands and hides its dots, so moving the pointer toward the dots must not select it.
      onPointerMove={() => {
        if (!selected && !isNarrow()) onSelect()
      }}
    >
      <div role="gridcell" className={`${layoutClasses.filling} ${classes.cell}`}>
        <HitLink hit={hit} on={on} onAction={onAction}>
          <HitIcon hit={hit} />
          <HitText hit={hit} typed={typed} marks={marks} />
          {phone ? (
            <span
              className={`${layoutClasses.notOnPhones} ${layoutClasses.rigid} ${textClasses.dimmed} ${textClasses.bodyFont} ${classes.number}`}
            >
              <HighlightedText segments={highlightPhone(formatPhone(phone), typed)} />
            </span>
          ) : null}
          {status ? (
            <span className={`${layoutClasses.notOnPhones} ${layoutClasses.rigid}`}>
              <StatusBadge status={status} />
            </span>
          ) : null}
        </HitLink>
      </div>
      <div role="gridcell" className={classes.contacts}>
        <ContactButtons hit={hit} selected={selected} onMore={onSelect} />
      </div>
    </div>
  )
}
