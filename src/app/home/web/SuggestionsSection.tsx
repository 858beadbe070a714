import { Button } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

import { formatDaysAgo } from '../../../contract/dates.ts'
import type { Proposal } from '../../../features/changing/requests/contract.ts'
import { acceptFromList, canAcceptInList, formatField, useIsAccepted } from '../../../features/changing/requests/web/queries.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import type { Home } from '../response.ts'
import { NeedsSection, NeedsRow } from './NeedsSection.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './SuggestionsSection.module.css'

const DeclineDialog = lazy(() => import('./DeclineDialog.tsx').then((module) => ({ default: module.DeclineDialog })))

const MAX_LENGTH = 60

/**
 * The single field of a suggestion that can be decided here, with its current and suggested value; undefined for a suggestion that has to be opened.
 */
const findShortChange = ({ fields }: Proposal) => {
  const field = fields.find(({ state }) => state === 'open')
  if (!field || !canAcceptInList(fields)) return undefined
  const { present: now, suggested } = formatField(field)
  return [now, suggested].some((text) => text.length > MAX_LENGTH || text.includes('\n')) ? undefined : { field, now, suggested }
}

const SuggestionRow = ({ proposal }: { proposal: Proposal }) => {
  const isAccepted = useIsAccepted(proposal._id)
  const [isDeclining, setDeclining] = useState(false)
  const change = findShortChange(proposal)
  const { sender, record, createdAt, fields } = proposal
  const name = sender.name ?? sender.email ?? 'Someone'
  const open = fields.filter(({ state }) => state === 'open').length
  const title = change ? `${change.field.label} of ${record.name}` : `${open} ${open === 1 ? 'change' : 'changes'} of ${record.name}`
  const from = [name, sender.person?.roles[0], formatDaysAgo(createdAt, configuration.timeZone)].filter(Boolean).join(', ')
  const address = `/requests/${proposal._id}`
  return (
    <>
      <NeedsRow
        mark={<Avatar name={name} size={40} />}
        title={<Link to={address}>{title}</Link>}
        lines={[
          ...(change
            ? [
                <span key="change">
                  <del className={textClasses.dimmed}>{change.now}</del>
                  <IconArrowRight size={14} stroke={1.75} aria-label="changed to" className={classes.arrow} />
                  <mark className={classes.suggested}>{change.suggested}</mark>
                </span>,
              ]
            : []),
          from,
        ]}
        actions={
          isAccepted ? (
            <span className={`${layoutClasses.inlineRow} ${textClasses.strong} ${textClasses.ok} ${classes.accepted}`}>
              <IconCheck size={16} stroke={2} aria-hidden /> Accepted
            </span>
          ) : change ? (
            <>
              <Button
                variant="default"
                size="compact-md"
                leftSection={<IconCheck size={16} stroke={2} aria-hidden />}
                aria-label={`Accept ${title}`}
                onClick={() => acceptFromList(proposal)}
              >
                Accept
              </Button>
              <Button
                variant="default"
                size="compact-md"
                aria-haspopup="dialog"
                aria-label={`Decline ${title}`}
                onClick={() => setDeclining(true)}
              >
                Decline
              </Button>
            </>
          ) : (
            <Button component={Link} to={address} variant="default" size="compact-md" aria-label={`Open ${title}`}>
              Open
            </Button>
          )
        }
      />
      {isDeclining && change ? (
        <Suspense>
          <DeclineDialog proposal={proposal} field={change.field} onClose={() => setDeclining(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Suggested changes to decide, longest waiting first. */
export const SuggestionsSection = ({ suggestions: { count, first } }: Pick<Home, 'suggestions'>) => (
  <NeedsSection id="suggestions-title" title="Suggested changes to decide" count={count} all={{ to: '/requests' }}>
    {first.map((proposal) => (
      <SuggestionRow key={proposal._id} proposal={proposal} />
    ))}
  </NeedsSection>
)
