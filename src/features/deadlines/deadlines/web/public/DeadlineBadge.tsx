import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowsDiff,
  IconCalendarEvent,
  IconCalendarOff,
  IconCalendarQuestion,
  IconCircleCheck,
  IconClockPause,
  IconUser,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useMemo, useRef } from 'react'

import { formatDay } from '../../../../../contract/dates.ts'
import { findSourceOfPath } from '../../../../../contract/deadlines.ts'
import { useCan } from '../../../../../platform/web/caller.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { showError } from '../../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import type { SearchParams } from '../../../../../platform/web/search-params.ts'
import { showSuccess } from '../../../../../platform/web/success-notice.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import type { DeadlineText } from '../../contract.ts'
import { ConfirmDates } from '../ConfirmDates.tsx'
import { type BadgeVariant, type DeadlineBadgeContent, findLatePetitions, getDeadlineBadge, getReading } from '../deadline-badge.ts'
import { changeText, reloadDeadlines, useDeadlines } from '../queries.ts'
import { useDeadlineCounts } from '../use-deadline-counts.ts'
import { toDeadlineTextsByPath, useDeadlineTexts } from '../use-deadline-texts.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineBadge.module.css'

interface BadgeTexts {
  readonly byPath: ReadonlyMap<string, DeadlineText>
  readonly late: ReadonlySet<DeadlineText>
  readonly today: string
}

const BadgesContext = createContext<BadgeTexts | null>(null)

/** Provides the badges of a charter affair with its deadlines. */
export const DeadlineBadgesProvider = ({ charter, children }: { charter: string; children: ReactNode }) => {
  const { data } = useDeadlineTexts(charter)
  const today = getToday()
  const texts = useMemo(
    () => (data ? { byPath: toDeadlineTextsByPath(data), late: findLatePetitions(data, today), today } : null),
    [data, today],
  )
  return <BadgesContext value={texts}>{children}</BadgesContext>
}

const ICONS: Readonly<Record<BadgeVariant, Icon>> = {
  date: IconCalendarEvent,
  overdue: IconAlertCircle,
  handled: IconCircleCheck,
  'put-off': IconClockPause,
  nobody: IconUser,
  'no-date': IconCalendarQuestion,
  proposed: IconCalendarQuestion,
  contradiction: IconArrowsDiff,
  ignored: IconCalendarOff,
}

interface BadgeProps extends DeadlineBadgeContent {
  /** The date found in the text. */
  readonly reading?: string | null
  /** Whether the text contains nothing but the date. */
  readonly isPlain?: boolean
}

const Badge = ({ variant: look, words, reading = null, isPlain = false }: BadgeProps) => {
  const IconComponent = ICONS[look]
  return (
    <span className={`${layoutClasses.inlineRow} ${textClasses.hint} ${textClasses.strong} ${classes.badge}`} data-variant={look}>
      <IconComponent size={15} stroke={1.75} aria-hidden />
      <span>
        {reading === null ? null : isPlain ? <VisuallyHidden component="span">{reading} · </VisuallyHidden> : `${reading} · `}
        {words}
      </span>
    </span>
  )
}

interface DeadlineBadgeProps {
  /** The same as in the form: `overview.oversight_date`. */
  readonly path: string
  /** The text on the page; a badge for another text would be wrong. */
  readonly text: string
}

/** The state of a field's deadline; renders nothing if it has none. */
export const DeadlineBadge = ({ path, text }: DeadlineBadgeProps) => {
  const texts = use(BadgesContext)
  const known = texts?.byPath.get(path)
  if (!texts || known?.text !== text) return null
  const badge = getDeadlineBadge(known, texts.late.has(known), texts.today, configuration.timeZone)
  const isPlain = known.date !== null && !known.isByHand && text.trim() === formatDay(known.date)
  return (
    <>
      <Badge {...badge} reading={known.isIgnored ? null : getReading(known)} isPlain={isPlain} />
      {badge.variant === 'proposed' ? (
        <span className={`${layoutClasses.toolbar} ${layoutClasses.topMargin6} ${classes.confirm}`}>
          <ConfirmText text={known} path={path} />
          <SetByHand path={path} />
        </span>
      ) : null}
      {badge.variant === 'no-date' ? <SetByHand path={path} /> : null}
    </>
  )
}

/** Buttons that make a proposed date certain, for people who manage deadlines and for its responsible person. */
const ConfirmText = ({ text, path }: { text: DeadlineText; path: string }) => {
  const mayManage = useCan('manage deadlines')
  const { data: counts } = useDeadlineCounts()
  const root = useRef<HTMLSpanElement>(null)
  const title = findSourceOfPath(path)?.title ?? 'Deadline'
  const change = useMutation({
    mutationFn: ({ version, date }: { version: number; date: string | null }) =>
      changeText({ _id: text._id, version }, date === null ? { date } : { confirmed: true, date }),
    onSuccess: (_changed, { version, date }) => {
      if (date === null) return
      showSuccess({
        text: `${title}: ${formatDay(date)} was confirmed.`,
        onUndo: () => change.mutate({ version: version + 1, date: null }),
      })
    },
    onError: (error) => {
      showError(errorMessage(error))
      void reloadDeadlines()
    },
  })
  const confirm = (date: string) => {
    // The buttons disappear, so the focus goes to the field.
    root.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
    change.mutate({ version: text.version, date })
  }
  const isResponsible = counts !== undefined && counts.me !== null && counts.me === text.responsible?._id
  return mayManage || isResponsible ? (
    <span ref={root}>
      <ConfirmDates dates={text.proposedDates} label={title} isBusy={change.isPending} onConfirm={confirm} />
    </span>
  ) : null
}

/** A link to the field in the form, where its date can be set. */
const SetByHand = ({ path }: { path: string }) =>
  useCan('manage deadlines') ? (
    <Link
      to="."
      search={(before: SearchParams) => ({ ...before, edit: '1', field: path })}
      className={`${textClasses.linkColor} ${textClasses.smallerFont} ${classes.edit}`}
      data-print="no"
    >
      set it by hand
    </Link>
  ) : null

/** The state of a site's lease end; renders nothing if it has none. */
export const LeaseBadge = ({ site }: { site: string }) => {
  const { data: deadlines } = useDeadlines({ site, kind: 'lease' })
  const lease = deadlines?.find(({ source, isCurrent }) => source?.field === 'lease_end' && isCurrent)
  return lease ? <Badge {...getDeadlineBadge({ ...lease, isIgnored: false }, false, getToday(), configuration.timeZone)} /> : null
}
