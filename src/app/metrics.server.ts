import { getLastBackupTime } from '../backup/daily.server.ts'
import { countLiveSessions } from '../features/access/session/queries.server.ts'
import { countStreams } from '../features/changing/live/queries.server.ts'
import { readDeliveryCounts } from '../features/exchange/webhooks/queries.server.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import { CERTIFICATE_OWNERS, type CertificateOwner, readCertificateDays } from '../platform/server/certificates.ts'
import { readMailCounts } from '../platform/server/mail/store.ts'
import type { Metric } from '../platform/server/metrics.ts'

const CERTIFICATES_CACHE_MS = 3_600_000
const CERTIFICATE_TIMEOUT_MS = 5000

/** The remaining days of certificates, refreshed hourly in the background. */
const createCertificateReader = ({ configuration }: AppContext): (() => Record<string, number>) => {
  const days: Record<string, number> = {}
  let readAt = -Infinity
  const read = async (owner: CertificateOwner): Promise<void> => {
    const left = await readCertificateDays(configuration, owner, CERTIFICATE_TIMEOUT_MS).catch(() => undefined)
    if (left === undefined) delete days[owner]
    else days[owner] = left
  }
  return () => {
    if (performance.now() - readAt > CERTIFICATES_CACHE_MS) {
      readAt = performance.now()
      for (const owner of CERTIFICATE_OWNERS) void read(owner)
    }
    return days
  }
}

/** The metrics of `/metrics` that features provide. */
export const createMetrics = (context: AppContext): Metric[] => {
  const { db, configuration } = context
  const readCertificates = createCertificateReader(context)
  return [
    {
      name: 'homeroom_certificate_days_left',
      help: 'Days that the certificates of PUBLIC_URL, the database and the mail server are still valid; negative where one has expired',
      label: 'of',
      read: async () => readCertificates(),
    },
    {
      name: 'homeroom_mails',
      help: 'Emails waiting to be sent, given up on, or without a recipient',
      label: 'state',
      read: async () => {
        const { waiting, failed, unaddressed } = await readMailCounts(db)
        return { waiting, failed, unaddressed }
      },
    },
    {
      name: 'homeroom_mail_oldest_waiting_seconds',
      help: 'How long the oldest mail has waited; 0 where none waits',
      read: async () => (await readMailCounts(db)).oldestSeconds,
    },
    {
      name: 'homeroom_webhook_deliveries',
      help: 'Deliveries to webhooks that wait, or were given up in the last 30 days',
      label: 'state',
      read: async () => {
        const { waiting, failed } = await readDeliveryCounts(db)
        return { waiting, failed }
      },
    },
    {
      name: 'homeroom_webhook_oldest_waiting_seconds',
      help: 'How long the oldest delivery to an active webhook has waited; 0 where none waits',
      read: async () => (await readDeliveryCounts(db)).oldestSeconds,
    },
    {
      name: 'homeroom_open_streams',
      help: 'Browsers to which this server sends changes as they happen',
      read: async () => countStreams(context),
    },
    { name: 'homeroom_sessions_active', help: 'Sessions that live', read: () => countLiveSessions(db, configuration) },
    {
      name: 'homeroom_backup_age_seconds',
      help: 'Age of the newest backup in BACKUP_DIR; missing where there is none',
      read: async () => {
        const at = await getLastBackupTime(configuration.backupDir)
        return at === undefined ? undefined : (Date.now() - at) / 1000
      },
    },
  ]
}
