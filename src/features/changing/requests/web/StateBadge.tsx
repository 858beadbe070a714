import { IconCircleCheckFilled, IconCircleX, IconClock } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { Badge } from '../../../../platform/web/kit/StatusBadge.tsx'
import type { RequestState } from '../contract.ts'
import { REQUEST_STATE_LABELS } from '../rules.ts'

const BADGES: Record<RequestState, { icon: Icon; tone: 'ok' | 'wait' | 'off' }> = {
  open: { icon: IconClock, tone: 'wait' },
  done: { icon: IconCircleCheckFilled, tone: 'ok' },
  declined: { icon: IconCircleX, tone: 'off' },
}

/** Whether a request is open, done or declined. */
export const StateBadge = ({ state }: { state: RequestState }) => <Badge {...BADGES[state]}>{REQUEST_STATE_LABELS[state]}</Badge>
