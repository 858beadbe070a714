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
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useMemo } from 'react'

import { formatDay } from '../../../../../contract/dates.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import type { SearchParams } from '../../../../../platform/web/search-params.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import { useCan } from '../../../../access/session/web/queries.ts'
import type { DeadlineText } from '../../contract.ts'
import { type BadgeVariant, type DeadlineBadgeContent, findLatePetitions, getDeadlineBadge, getReading } from '../deadline-badge.ts'
import { useDeadlines } from '../queries.ts'
import { toDeadlineTextsByPath, useDeadlineTexts } from '../use-deadline-texts.ts'

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
    <span className={classes.badge} data-variant={look}>
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
      {badge.variant === 'no-date' ? <SetByHand path={path} /> : null}
    </>
  )
}

/** A link to the field in the form, where its date can be set. */
const SetByHand = ({ path }: { path: string }) =>
  useCan('manage deadlines') ? (
    <Link to="." search={(before: SearchParams) => ({ ...before, edit: '1', field: path })} className={classes.edit} data-print="no">
      set it by hand
    </Link>
  ) : null

/** The state of a site's lease end; renders nothing if it has none. */
export const LeaseBadge = ({ site }: { site: string }) => {
  const { data: deadlines } = useDeadlines({ site, kind: 'lease' })
  const lease = deadlines?.find(({ source, isCurrent }) => source?.field === 'lease_end' && isCurrent)
  return lease ? <Badge {...getDeadlineBadge({ ...lease, isIgnored: false }, false, getToday(), configuration.timeZone)} /> : null
}
