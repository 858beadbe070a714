import { IconEdit, IconKey, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import { formatMomentDay, formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../../platform/web/kit/DetailHead.tsx'
import { type Fact, Facts } from '../../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import type { Webhook } from '../contract.ts'
import { formatEvents } from '../rules.ts'
import { DeliveryList } from './DeliveryList.tsx'
import { EditWebhookDialog } from './EditWebhookDialog.tsx'
import { NewSecretDialog } from './NewSecretDialog.tsx'
import { useTestEvent, useWebhook, useWebhookState } from './queries.ts'
import { RemoveWebhookDialog } from './RemoveWebhookDialog.tsx'
import { RenewSecretDialog } from './RenewSecretDialog.tsx'
import { WebhookStateBadge } from './WebhookStateBadge.tsx'

import classes from './WebhookPage.module.css'

const { timeZone } = configuration
const back = <BackLink to="/webhooks" label="Webhooks" />

const getFacts = ({ events, createdAt, createdBy, lastDeliveredAt, oldSecretEndsAt }: Webhook): Fact[] => [
  { label: 'Events', value: formatEvents(events) },
  { label: 'Created', value: `${formatMomentDay(createdAt, timeZone)}${createdBy === null ? '' : ` by ${createdBy}`}` },
  {
    label: 'Last delivered',
    value: lastDeliveredAt === null ? null : formatMoment(lastDeliveredAt, timeZone, ', '),
    emptyText: 'Nothing yet',
  },
  ...(oldSecretEndsAt === null ? [] : [{ label: 'Old secret ends', value: formatMoment(oldSecretEndsAt, timeZone, ', ') }]),
]

type Step = 'editing' | 'renewing' | 'removing' | { readonly secret: string } | null

const WebhookContent = ({ webhook }: { webhook: Webhook }) => {
  const { _id, url, state, problem } = webhook
  const name = new URL(url).host
  useTitle(name)
  const [step, setStep] = useState<Step>(null)
  const close = () => setStep(null)
  const testing = useTestEvent(_id)
  const turning = useWebhookState(webhook)
  const isActive = state === 'active'
  return (
    <div className={classes.page}>
      <DetailHead
        back={back}
        title={name}
        line={
          <>
            <WebhookStateBadge state={state} />
            <span className={classes.url}>{url}</span>
          </>
        }
        banner={problem === null ? null : <Notice tone="bad">{problem}. Correct the web address, then turn it on.</Notice>}
        actions={
          <>
            <HeadAction
              icon={isActive ? IconPlayerPause : IconPlayerPlay}
              isDisabled={turning.isPending}
              onClick={() => turning.mutate(isActive ? 'paused' : 'active')}
              isBrief
            >
              {isActive ? 'Pause' : 'Turn On'}
            </HeadAction>
            <HeadAction icon={IconKey} opensDialog onClick={() => setStep('renewing')} isBrief>
              New Secret
            </HeadAction>
            <HeadAction icon={IconTrash} opensDialog onClick={() => setStep('removing')} isBrief>
              Remove
            </HeadAction>
            <HeadAction icon={IconEdit} opensDialog onClick={() => setStep('editing')} isBrief>
              Edit
            </HeadAction>
          </>
        }
        mainAction={
          <HeadAction icon={IconSend} isDisabled={!isActive || testing.isPending} onClick={() => testing.mutate()}>
            Send Test Event
          </HeadAction>
        }
        facts={<Facts variant="line" facts={getFacts(webhook)} />}
      />
      <div className={classes.deliveries}>
        <DeliveryList webhook={webhook} />
      </div>
      {step === 'editing' ? <EditWebhookDialog webhook={webhook} onClose={close} /> : null}
      {step === 'renewing' ? <RenewSecretDialog webhook={webhook} onRenewed={(secret) => setStep({ secret })} onClose={close} /> : null}
      {step === 'removing' ? <RemoveWebhookDialog webhook={webhook} onClose={close} /> : null}
      {typeof step === 'object' && step !== null ? <NewSecretDialog url={url} secret={step.secret} onClose={close} /> : null}
    </div>
  )
}

/** `/webhooks/{id}`: a webhook and its deliveries. */
export const WebhookPage = () => {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  return (
    <LoadedRecord query={useWebhook(id)} what="webhook" back={back} skeleton={<RowSkeleton />}>
      {(webhook) => <WebhookContent webhook={webhook} />}
    </LoadedRecord>
  )
}
