import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX, IconClock, IconRefresh } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { formatDaysAgo, formatMomentTime, formatMoment } from '../../../../contract/dates.ts'
import { capitalize } from '../../../../contract/format.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { ExpandableRow } from '../../../../platform/web/kit/ExpandableRow.tsx'
import { type Fact, Facts } from '../../../../platform/web/kit/Facts.tsx'
import { Badge } from '../../../../platform/web/kit/StatusBadge.tsx'
import type { Delivery, Webhook } from '../contract.ts'
import { useReplay } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import logClasses from '../../../../platform/web/kit/LogDetails.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeliveryRow.module.css'

const { timeZone } = configuration

export const DELIVERY_STATE_LABELS: Readonly<Record<Delivery['state'], string>> = {
  waiting: 'Waiting',
  failed: 'Failed',
  delivered: 'Delivered',
}
const BADGES: Readonly<Record<Delivery['state'], { icon: Icon; tone: 'ok' | 'wait' | 'off' }>> = {
  waiting: { icon: IconClock, tone: 'wait' },
  delivered: { icon: IconCircleCheckFilled, tone: 'ok' },
  failed: { icon: IconCircleX, tone: 'off' },
}

const getNextTry = ({ nextTryAt, state }: Delivery): Fact[] => {
  if (state !== 'waiting') return []
  return [{ label: 'Next try', value: nextTryAt === null ? 'After the delivery before it' : formatMoment(nextTryAt, timeZone, ', ') }]
}

const getFacts = (delivery: Delivery): Fact[] => {
  const { message, tries, problem, endedAt, lastTryAt, replayOf } = delivery
  return [
    { label: 'Message', value: message },
    { label: 'Tries', value: lastTryAt === null ? 'None yet' : `${tries}, the last ${formatMoment(lastTryAt, timeZone, ', ')}` },
    ...getNextTry(delivery),
    ...(endedAt === null
      ? []
      : [{ label: delivery.state === 'delivered' ? 'Delivered' : 'Given up', value: formatMoment(endedAt, timeZone, ', ') }]),
    ...(problem === null ? [] : [{ label: 'Problem', value: problem }]),
    ...(replayOf === null ? [] : [{ label: 'Replay of', value: `Delivery ${replayOf}` }]),
  ]
}

interface DeliveryRowProps {
  webhook: Webhook
  delivery: Delivery
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

const Details = ({ webhook, delivery }: Pick<DeliveryRowProps, 'webhook' | 'delivery'>) => {
  const replaying = useReplay(webhook._id)
  return (
    <div className={`${layoutClasses.stack} ${layoutClasses.railGround} ${logClasses.details} ${classes.details}`}>
      <Facts variant="line" facts={getFacts(delivery)} />
      <pre className={`${layoutClasses.card} ${layoutClasses.breakable} ${layoutClasses.fullWidth} ${logClasses.code}`}>
        {JSON.stringify(delivery.body, null, 2)}
      </pre>
      <Button
        variant="default"
        leftSection={<IconRefresh size={17} stroke={1.75} aria-hidden />}
        disabled={webhook.state !== 'active'}
        loading={replaying.isPending}
        onClick={() => replaying.mutate(delivery._id)}
      >
        {delivery.state === 'waiting' ? 'Try Now' : 'Replay'}
      </Button>
    </div>
  )
}

/** A delivery, which expands to show the message and the result. */
export const DeliveryRow = ({ webhook, delivery, isOpen, onToggle }: DeliveryRowProps) => {
  const { body, state, problem, createdAt } = delivery
  return (
    <ExpandableRow
      isOpen={isOpen}
      onToggle={onToggle}
      label={<span>{body.type}</span>}
      headClassName={classes.head}
      head={
        <>
          <p className={`${textClasses.caption} ${layoutClasses.breakable} ${textClasses.smallLines} ${classes.about}`}>
            {[body.data.name, body.data.changed.join(', ')].filter(Boolean).join(': ')}
            {problem === null || state === 'delivered' ? null : (
              <span className={`${layoutClasses.block} ${textClasses.bad}`}>{problem}</span>
            )}
          </p>
          <p className={`${textClasses.small} ${textClasses.figures} ${classes.when}`}>
            {capitalize(formatDaysAgo(createdAt, timeZone))}
            <span>{formatMomentTime(createdAt, timeZone)}</span>
          </p>
          <span className={classes.state}>
            <Badge {...BADGES[state]}>{DELIVERY_STATE_LABELS[state]}</Badge>
          </span>
        </>
      }
    >
      <Details webhook={webhook} delivery={delivery} />
    </ExpandableRow>
  )
}
