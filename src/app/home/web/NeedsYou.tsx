import { Button } from '@mantine/core'
import { IconCheck, IconInbox, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { formatDaysAgo, formatMomentDay, formatMomentTime, formatShortDay } from '../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../contract/deadlines.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { formatDistance } from '../../../features/deadlines/deadlines/rules.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { deleteDraft, type NamedDraft } from '../../../platform/web/form/drafts.ts'
import { getResumeSearch, SUGGEST } from '../../../platform/web/form/use-edit-mode.ts'
import { Avatar, VacantAvatar } from '../../../platform/web/kit/Avatar.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { IconTile } from '../../../platform/web/kit/RecordMark.tsx'
import { getToday } from '../../../platform/web/today.ts'
import type { Home } from '../response.ts'
import { useHandled, useSeenComments } from './actions.ts'
import { ChecksSection } from './ChecksSection.tsx'
import { type Needs, NEEDED_NUMBERS } from './needs.ts'
import { NeedsSection, NeedsRow } from './NeedsSection.tsx'
import { SuggestionsSection } from './SuggestionsSection.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './NeedsYou.module.css'

const DeadlinesSection = ({ deadlines: { count, first } }: Pick<Home, 'deadlines'>) => {
  const handled = useHandled()
  const today = getToday()
  return (
    <NeedsSection id="deadlines-title" title="My deadlines" count={count} all={{ to: '/deadlines', search: { responsible: 'me' } }}>
      {first.map((deadline) => (
        <NeedsRow
          key={deadline._id}
          mark={
            <span className={`${layoutClasses.rigid} ${layoutClasses.vertical} ${textClasses.strong} ${classes.day}`}>
              <time dateTime={deadline.date}>{formatShortDay(deadline.date, today)}</time>
              <span data-overdue={deadline.date < today || undefined}>{formatDistance(deadline.date, today)}</span>
            </span>
          }
          title={deadline.title}
          lines={[[DEADLINE_KINDS[deadline.kind].name, deadline.charter?.name ?? deadline.site?.name].filter(Boolean).join(', ')]}
          actions={
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconCheck size={16} stroke={2} aria-hidden />}
              loading={handled.isPending && handled.variables._id === deadline._id}
              aria-label={`Handled: ${deadline.title}`}
              onClick={() => handled.mutate(deadline)}
            >
              Handled
            </Button>
          }
        />
      ))}
    </NeedsSection>
  )
}

const PositionsSection = ({ positions: { count, first } }: Pick<Home, 'positions'>) => {
  const mayFill = useCan('edit a site')
  return (
    <NeedsSection id="positions-title" title="Positions to fill" count={count} all={{ to: '/coverage', search: { empty: '1' } }}>
      {first.map(({ role, site, since }) => (
        <NeedsRow
          key={`${site._id} ${role}`}
          mark={<VacantAvatar size={40} />}
          title={role}
          lines={[since === null ? site.name : `${site.name}, vacant since ${formatMomentDay(since, configuration.timeZone)}`]}
          actions={
            mayFill ? (
              <Button
                component={Link}
                to={buildPagePath('/location/staff/$slug', site.slug)}
                variant="default"
                size="compact-md"
                aria-label={`Fill ${role} at ${site.name}`}
              >
                Fill it
              </Button>
            ) : (
              <Button
                component={Link}
                to={buildPagePath('/location/staff/$slug', site.slug)}
                search={{ edit: SUGGEST } as never}
                variant="default"
                size="compact-md"
                aria-label={`Suggest someone for ${role} at ${site.name}`}
              >
                Suggest someone
              </Button>
            )
          }
        />
      ))}
    </NeedsSection>
  )
}

const RequestsSection = ({ requests: { count } }: Pick<Home, 'requests'>) => (
  <NeedsSection id="requests-title" title="Requests to answer" count={count} all={{ to: '/requests' }}>
    <NeedsRow
      mark={<IconTile icon={IconInbox} />}
      title={<Link to="/requests">{count === 1 ? '1 request is open' : `${count.toLocaleString('en-US')} requests are open`}</Link>}
      lines={['Written as plain text by people who cannot make the change themselves']}
    />
  </NeedsSection>
)

/** Suggestions have their own page; other requests open in a drawer over their list. */
const getRequestPath = (_id: string, isSuggestion: boolean): string => (isSuggestion ? `/requests/${_id}` : `/requests?request=${_id}`)

const AnswersSection = ({ answers, onSeen }: { answers: Home['answers']; onSeen: (_id: string) => void }) => (
  <NeedsSection id="answers-title" title="Answers to my requests" count={answers.count} all={{ to: '/requests' }}>
    {answers.first.map(({ _id, site, location, state, word, answeredBy, answeredAt, openFields }) => (
      <NeedsRow
        key={_id}
        mark={<IconTile icon={IconInbox} />}
        title={<Link to={getRequestPath(_id, openFields !== null)}>{site?.displayName ?? location ?? 'IS support'}</Link>}
        lines={[
          `${state === 'declined' ? 'Declined' : 'Done'} by ${answeredBy ?? 'an administrator'}${answeredAt === null ? '' : ` ${formatDaysAgo(answeredAt, configuration.timeZone)}`}`,
          ...(word === null ? [] : [word]),
        ]}
        actions={
          <Button
            variant="default"
            size="compact-md"
            aria-label={`Got it: ${site?.displayName ?? location ?? 'IS support'}`}
            onClick={() => onSeen(_id)}
          >
            Got it
          </Button>
        }
      />
    ))}
  </NeedsSection>
)

const CommentsSection = ({ comments: { count, first } }: Pick<Home, 'comments'>) => {
  const seen = useSeenComments()
  return (
    <NeedsSection id="comments-title" title="Comments for me" count={count}>
      {first.map((comment) => {
        const { _id, author, about, text, createdAt } = comment
        return (
          <NeedsRow
            key={_id}
            mark={<Avatar name={author.name} size={40} />}
            title={
              <Link to={about.path ?? '/'} hash="comments">
                {about.name}
              </Link>
            }
            lines={[
              <span key="text" className={textClasses.twoLines}>
                {text}
              </span>,
              `${author.name}, ${formatDaysAgo(createdAt, configuration.timeZone)}`,
            ]}
            actions={
              <Button
                variant="default"
                size="compact-md"
                aria-label={`Got it: ${about.name}`}
                loading={seen.isPending && seen.variables._id === _id}
                onClick={() => seen.mutate(comment)}
              >
                Got it
              </Button>
            }
          />
        )
      })}
    </NeedsSection>
  )
}

const countFields = ({ values }: NamedDraft): string => {
  const count = Object.keys(values).length
  return count === 1 ? '1 field' : `${count} fields`
}

const DraftsSection = ({ drafts, onChange }: { drafts: readonly NamedDraft[]; onChange: () => void }) => {
  const [discarding, setDiscarding] = useState<NamedDraft | null>(null)
  const { timeZone } = configuration
  return (
    <NeedsSection id="drafts-title" title="Unsaved changes" count={drafts.length}>
      {drafts.slice(0, 3).map((draft) => (
        <NeedsRow
          key={draft.name}
          mark={<IconTile icon={IconPencil} />}
          title={draft.name.startsWith('suggestion ') ? `Suggested changes, ${draft.page.title}` : draft.page.title}
          lines={[
            `${countFields(draft)} typed ${formatDaysAgo(draft.at, timeZone)} at ${formatMomentTime(draft.at, timeZone)}, kept on this computer`,
          ]}
          actions={
            <>
              <Button
                component={Link}
                to={draft.page.path}
                search={getResumeSearch(draft.name) as never}
                variant="default"
                size="compact-md"
                aria-label={`Continue editing: ${draft.page.title}`}
              >
                Continue editing
              </Button>
              <Button
                variant="default"
                size="compact-md"
                className={classes.discard}
                aria-haspopup="dialog"
                aria-label={`Discard: ${draft.page.title}`}
                onClick={() => setDiscarding(draft)}
              >
                Discard
              </Button>
            </>
          }
        />
      ))}
      {discarding ? (
        <Dialog
          title={`Discard what you typed on ${discarding.page.title}?`}
          confirmLabel="Discard"
          isDestructive
          isBusy={false}
          error={null}
          onClose={() => setDiscarding(null)}
          onConfirm={() => {
            deleteDraft(discarding.name)
            setDiscarding(null)
            onChange()
          }}
        >
          <p>{countFields(discarding)} will be lost. The record stays as it is.</p>
        </Dialog>
      ) : null}
    </NeedsSection>
  )
}

interface NeedsYouProps extends Needs {
  readonly onSeen: (_id: string) => void
  readonly onDrafts: () => void
}

/** Everything that needs the user's attention: one line of numbers, then the sections that have items. */
export const NeedsYou = (props: NeedsYouProps) => {
  const { home, drafts, onSeen, onDrafts } = props
  return (
    <section aria-labelledby="needs-title">
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.bottomMargin16} ${classes.head}`}>
        <h2 id="needs-title" className={textClasses.largeFont}>
          Needs you
        </h2>
        {NEEDED_NUMBERS.map(([id, one, many, count]) => {
          const number = count(props)
          return number === 0 ? null : (
            <a
              key={many}
              href={`#${id}`}
              className={`${textClasses.link} ${textClasses.bodyFont} ${classes.number}`}
              data-bad={many === 'overdue' || undefined}
            >
              <strong>{number.toLocaleString('en-US')}</strong> {number === 1 ? one : many}
            </a>
          )
        })}
      </div>
      {home.checks.count > 0 ? <ChecksSection checks={home.checks} /> : null}
      {home.suggestions.count > 0 ? <SuggestionsSection suggestions={home.suggestions} /> : null}
      {home.requests.count > 0 ? <RequestsSection requests={home.requests} /> : null}
      {home.answers.count > 0 ? <AnswersSection answers={home.answers} onSeen={onSeen} /> : null}
      {home.comments.count > 0 ? <CommentsSection comments={home.comments} /> : null}
      {home.deadlines.count > 0 ? <DeadlinesSection deadlines={home.deadlines} /> : null}
      {home.positions.count > 0 ? <PositionsSection positions={home.positions} /> : null}
      {drafts.length > 0 ? <DraftsSection drafts={drafts} onChange={onDrafts} /> : null}
    </section>
  )
}
