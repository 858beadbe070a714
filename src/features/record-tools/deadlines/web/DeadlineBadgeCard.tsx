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
import { createContext, type ReactNode, use, useMemo } from 'react'

import { toIsoDay } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { DeadlineText } from '../contract.ts'
import { type BadgeLook, findLatePetitions, getDeadlineBadge } from './deadline-badge.ts'
import { toTextsByPath, useDeadlineTexts } from './useDeadlineTexts.ts'

import classes from './DeadlineBadgeCard.module.css'

interface BadgeTexts {
  readonly byPath: ReadonlyMap<string, DeadlineText>
  readonly late: ReadonlySet<DeadlineText>
  readonly today: string
}

const BadgesContext = createContext<BadgeTexts | null>(null)

const getToday = (): string => toIsoDay(new Date(), configuration.timeZone)

/** Gives the badges of a charter affair its deadlines. */
export const DeadlineBadges = ({ charter, children }: { charter: string; children: ReactNode }) => {
  const { data } = useDeadlineTexts(charter)
  const today = getToday()
  const texts = useMemo(() => (data ? { byPath: toTextsByPath(data), late: findLatePetitions(data, today), today } : null), [data, today])
  return <BadgesContext value={texts}>{children}</BadgesContext>
}

const ICONS: Readonly<Record<BadgeLook, Icon>> = {
  date: IconCalendarEvent,
  overdue: IconAlertCircle,
  handled: IconCircleCheck,
  'put-off': IconClockPause,
  nobody: IconUser,
  'no-date': IconCalendarQuestion,
  contradiction: IconArrowsDiff,
  ignored: IconCalendarOff,
}

interface DeadlineBadgeCardProps {
  /** As in the form: `overview.oversight_date`. */
  readonly path: string
  /** What the page says; a badge of another text would be wrong. */
  readonly text: string
}

/** How the deadline of a field stands; nothing where the field has none. */
export const DeadlineBadgeCard = ({ path, text }: DeadlineBadgeCardProps) => {
  const texts = use(BadgesContext)
  const known = texts?.byPath.get(path)
  if (!texts || known?.text !== text) return null
  const { look, words } = getDeadlineBadge(known, texts.late.has(known), texts.today, configuration.timeZone)
  const Sign = ICONS[look]
  return (
    <span className={classes.badge} data-look={look}>
      <Sign size={15} stroke={1.75} aria-hidden />
      {words}
    </span>
  )
}
