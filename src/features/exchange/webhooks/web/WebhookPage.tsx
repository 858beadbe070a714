import { NativeSelect } from '@mantine/core'
import { IconEdit, IconKey, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import type { CheckedBody } from '../../../../contract/call.ts'
import { formatMoment, formatMomentDay } from '../../../../contract/dates.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../../platform/web/kit/DetailHead.tsx'
import { type Fact, Facts } from '../../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { renewWebhookSecret, updateWebhook, type Webhook } from '../contract.ts'
import { FORMAT_LABELS, formatContent, formatTarget, getWebhookName, OLD_SECRET_HOURS, QUIET_MINUTES } from '../rules.ts'
import { DeliveryList } from './DeliveryList.tsx'
import { NewSecretDialog } from './NewSecretDialog.tsx'
import { reloadWebhooks, useTestEvent, useWebhook, useWebhookState } from './queries.ts'
import { RemoveWebhookDialog } from './RemoveWebhookDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookStateBadge } from './WebhookStateBadge.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

const OVERLAPS = [
  { value: String(OLD_SECRET_HOURS), label: 'After one day' },
  { value: String(7 * 24), label: 'After one week' },
  { value: '0', label: 'Now, because it was lost' },
]

interface RenewSecretDialogProps {
  webhook: Webhook
  onRenewed: (secret: string) => void
  onClose: () => void
}

/** Gives a webhook a new secret; it is shown in the next window. */
const RenewSecretDialog = ({ webhook: { _id: id, version }, onRenewed, onClose }: RenewSecretDialogProps) => {
  const [hours, setHours] = useState(String(OLD_SECRET_HOURS))
  return (
    <SendingDialog
      title="Create a new secret?"
      confirmLabel="Create Secret"
      onSend={() => send(renewWebhookSecret, { params: { id }, body: { overlapHours: Number(hours) }, version })}
      onSent={({ secret }) => {
        reloadWebhooks()
        onRenewed(secret)
      }}
      onClose={onClose}
    >
      <NativeSelect
        label="The old secret ends"
        description="Until then messages are signed with both, so that the other program can change over."
        data={OVERLAPS}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
      />
    </SendingDialog>
  )
}

/** Changes the URL and the events of a webhook, starting from their values when the window opened. */
const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const [{ _id: id, version, name, url, format, events, quiet, summary, overdue, affairs }] = useState(webhook)
  const saving = useMutation({
    mutationFn: (body: CheckedBody<typeof updateWebhook>) => withSignIn(() => send(updateWebhook, { params: { id }, body, version })),
    onSuccess: () => {
      reloadWebhooks()
      showSuccess({ text: 'The webhook was saved.' })
      onClose()
    },
  })
  return (
    <WebhookDialog
      title="Edit this Webhook"
      confirmLabel="Save"
      initial={{ name, url, format, events, quiet, summary, overdue, affairs }}
      isBusy={saving.isPending}
      error={saving.error}
      onSave={saving.mutate}
      onChange={saving.reset}
      onClose={onClose}
    />
  )
}

const { timeZone } = configuration
const back = <BackLink to="/webhooks" label="Webhooks" />

const getChannelFacts = ({ quiet, affairs, affairsBy }: Webhook): Fact[] => [
  { label: 'Messages', value: quiet ? `Gathered for ${QUIET_MINUTES} minutes` : 'One for each event' },
  {
    label: 'Charter affairs',
    value: affairs
      ? `Everyone in the channel can read them, guests too${affairsBy === null ? '' : `; turned on by ${affairsBy}`}`
      : 'Only that something changed',
  },
]

const getFacts = (webhook: Webhook): Fact[] => {
  const { format, createdAt, createdBy, lastDeliveredAt, oldSecretEndsAt } = webhook
  return [
    { label: format === 'standard' ? 'Events' : 'Content', value: formatContent(webhook) },
    ...(format === 'standard' ? [] : getChannelFacts(webhook)),
    { label: 'Created', value: `${formatMomentDay(createdAt, timeZone)}${createdBy === null ? '' : ` by ${createdBy}`}` },
    {
      label: 'Last delivered',
      value: lastDeliveredAt === null ? null : formatMoment(lastDeliveredAt, timeZone, ', '),
      emptyText: 'Nothing yet',
    },
    ...(oldSecretEndsAt === null ? [] : [{ label: 'Old secret ends', value: formatMoment(oldSecretEndsAt, timeZone, ', ') }]),
  ]
}

type Step = 'editing' | 'renewing' | 'removing' | { readonly secret: string } | null

const WebhookContent = ({ webhook }: { webhook: Webhook }) => {
  const { _id, url, format, state, problem } = webhook
  const isChannel = format !== 'standard'
  const name = getWebhookName(webhook)
  useTitle(name)
  const [step, setStep] = useState<Step>(null)
  const close = () => setStep(null)
  const testing = useTestEvent(_id)
  const turning = useWebhookState(webhook)
  const isActive = state === 'active'
  return (
    <div className={layoutClasses.narrowPage}>
      <DetailHead
        back={back}
        title={name}
        line={
          <>
            <WebhookStateBadge state={state} />
            <span className={layoutClasses.content}>{isChannel ? `${FORMAT_LABELS[format]}, ${formatTarget(webhook)}` : url}</span>
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
            {isChannel ? null : (
              <HeadAction icon={IconKey} opensDialog onClick={() => setStep('renewing')} isBrief>
                New Secret
              </HeadAction>
            )}
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
            {isChannel ? 'Send a Test Message' : 'Send Test Event'}
          </HeadAction>
        }
        facts={<Facts variant="line" facts={getFacts(webhook)} />}
      />
      <div className={layoutClasses.sectionStart}>
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
