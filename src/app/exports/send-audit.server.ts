import type { FastifyReply } from 'fastify'

import { AUDIT_KINDS } from '../../contract/audit.ts'
import { formatMoment } from '../../contract/dates.ts'
import type { AuditEvent, AuditFilter } from '../../features/operations/audit/contract.ts'
import { chainBeforeReading, readAuditEvents } from '../../features/operations/audit/queries.server.ts'
import type { DownloadContext } from '../../platform/server/send-file.ts'
import { sendRows, textColumn } from '../../platform/server/send-rows.ts'
import type { CellValue } from '../../platform/server/workbook-writer.ts'

const toLabel = (kind: string): string => (Object.hasOwn(AUDIT_KINDS, kind) ? AUDIT_KINDS[kind as keyof typeof AUDIT_KINDS] : kind)
const toJson = (values: AuditEvent['before']): CellValue => (values === null ? null : JSON.stringify(values))

const COLUMNS = [
  textColumn<AuditEvent>('When', 24, ({ at }, timeZone) => formatMoment(at, timeZone)),
  textColumn<AuditEvent>('Event', 28, ({ kind }) => toLabel(kind)),
  textColumn<AuditEvent>('Name', 24, ({ name }) => name),
  textColumn<AuditEvent>('Email', 30, ({ actor }) => actor),
  textColumn<AuditEvent>('Token', 20, ({ token }) => token),
  textColumn<AuditEvent>('Network address', 20, ({ address }) => address),
  textColumn<AuditEvent>('Record', 38, ({ record }) => record),
  textColumn<AuditEvent>('Before', 48, ({ before }) => toJson(before)),
  textColumn<AuditEvent>('After', 48, ({ after }) => toJson(after)),
  textColumn<AuditEvent>('Kind', 24, ({ kind }) => kind),
  textColumn<AuditEvent>('Moment (UTC)', 26, ({ at }) => at),
  textColumn<AuditEvent>('Request', 20, ({ request }) => request),
  { header: 'Row', kind: 'number' as const, width: 12, toCell: ({ sequence }: AuditEvent) => String(sequence) },
  textColumn<AuditEvent>('Hash', 66, ({ hash }) => hash),
]

/** Sends the audit trail as a workbook and logs the download. */
export const sendAuditWorkbook = (filter: AuditFilter, caller: DownloadContext): Promise<FastifyReply> => {
  const { context } = caller
  const prepare = () => chainBeforeReading(context)
  const readRows = () => readAuditEvents(context, { ...filter, order: 'newest' })
  return sendRows({ title: 'Audit Trail', columns: COLUMNS, filter, prepare, readRows }, caller)
}
