import { IconCircleCheckFilled, IconCircleX, IconPlayerPause } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { Badge } from '../../../../platform/web/kit/StatusBadge.tsx'
import type { Webhook } from '../contract.ts'

const BADGES: Record<Webhook['state'], { icon: Icon; tone: 'ok' | 'wait' | 'off'; label: string }> = {
  active: { icon: IconCircleCheckFilled, tone: 'ok', label: 'Active' },
  paused: { icon: IconPlayerPause, tone: 'wait', label: 'Paused' },
  off: { icon: IconCircleX, tone: 'off', label: 'Off' },
}

/** Whether a webhook is active. */
export const WebhookStateBadge = ({ state }: Pick<Webhook, 'state'>) => {
  const { label, ...badge } = BADGES[state]
  return <Badge {...badge}>{label}</Badge>
}
