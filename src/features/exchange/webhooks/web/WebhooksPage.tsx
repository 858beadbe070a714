import { Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import type { CheckedBody } from '../../../../contract/call.ts'
import { formatDaysAgo } from '../../../../contract/dates.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { IconRow, IconRows } from '../../../../platform/web/kit/IconRow.tsx'
import { ListHead } from '../../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createWebhook, type Webhook } from '../contract.ts'
import { FORMAT_LABELS, formatContent, formatTarget } from '../rules.ts'
import { NewSecretDialog } from './NewSecretDialog.tsx'
import { reloadWebhooks, useWebhooks } from './queries.ts'
import { WebhookDialog } from './WebhookDialog.tsx'
import { EMPTY_WEBHOOK } from './WebhookFields.tsx'
import { WebhookStateBadge } from './WebhookStateBadge.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

interface AddWebhookDialogProps {
  onAdded: (added: { _id: string; url: string; secret: string; isChannel: boolean }) => void
  onClose: () => void
}

/** Adds a webhook; its secret is shown in the next window. */
const AddWebhookDialog = ({ onAdded, onClose }: AddWebhookDialogProps) => {
  const adding = useMutation({
    mutationFn: (body: CheckedBody<typeof createWebhook>) => withSignIn(() => send(createWebhook, { body })),
    onSuccess: ({ _id, secret }, { url, format }) => onAdded({ _id, url, secret, isChannel: format !== 'standard' }),
  })
  return (
    <WebhookDialog
      title="Add a Webhook"
      confirmLabel="Add Webhook"
      initial={EMPTY_WEBHOOK}
      isBusy={adding.isPending}
      error={adding.error}
      onSave={adding.mutate}
      onChange={adding.reset}
      onClose={onClose}
    />
  )
}

const formatDeliveries = ({ waiting, failed, lastDeliveredAt }: Webhook): string =>
  [
    ...(waiting > 0 ? [`${waiting.toLocaleString('en-US')} waiting`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString('en-US')} failed`] : []),
    lastDeliveredAt === null ? 'Nothing delivered yet' : `Last delivered ${formatDaysAgo(lastDeliveredAt, configuration.timeZone)}`,
  ].join(' · ')

const WebhookRow = ({ webhook }: { webhook: Webhook }) => (
  <IconRow
    icon={IconWebhook}
    name={
      <Link to="/webhooks/$id" params={{ id: webhook._id }}>
        {webhook.name ?? formatTarget(webhook)}
      </Link>
    }
    lines={[
      [webhook.format === 'standard' ? null : FORMAT_LABELS[webhook.format], webhook.name === null ? null : formatTarget(webhook)].filter(
        (text) => text !== null,
      ),
      [formatContent(webhook)],
      [formatDeliveries(webhook)],
    ].filter((line) => line.length > 0)}
    actions={<WebhookStateBadge state={webhook.state} />}
  />
)

/** `/webhooks`: the URLs that receive events. */
export const WebhooksPage = () => {
  const query = useWebhooks()
  const navigate = useNavigate()
  const [step, setStep] = useState<'adding' | { url: string; secret: string } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The first window is gone by then and cannot restore the focus.
  const close = () => {
    setStep(null)
    setTimeout(() => button.current?.focus())
  }
  const count = query.data?.length
  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead
        title="Webhooks"
        summary={count === undefined ? undefined : `${count} ${count === 1 ? 'webhook' : 'webhooks'}`}
        failed={query.isError}
        aside={
          <Button ref={button} variant="default" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setStep('adding')}>
            Add Webhook
          </Button>
        }
      />
      <p className={`${textClasses.detail} ${layoutClasses.bottomMargin20} ${layoutClasses.readableWidth}`}>
        A webhook tells another program what happened here: which record, which fields and who did it, never their values. The program reads
        the record with an API token of its own. A channel of Microsoft Teams or Slack gets messages for people, with the values.
      </p>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No webhooks to display">
              <p>No other program receives events.</p>
            </EmptyState>
          ) : (
            <IconRows label="Webhooks">
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook._id} webhook={webhook} />
              ))}
            </IconRows>
          )
        }
      </LoadedList>
      {step === 'adding' ? (
        <AddWebhookDialog
          onAdded={(added) => {
            reloadWebhooks()
            if (!added.isChannel) return setStep(added)
            setStep(null)
            void navigate({ to: '/webhooks/$id', params: { id: added._id } }).then(() =>
              showSuccess({ text: 'The channel was added. Send a test message to see how messages look there.' }),
            )
          }}
          onClose={() => setStep(null)}
        />
      ) : null}
      {step !== null && step !== 'adding' ? <NewSecretDialog url={step.url} secret={step.secret} onClose={close} /> : null}
    </div>
  )
}
