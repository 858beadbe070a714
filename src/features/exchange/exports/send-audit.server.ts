import type { FastifyReply } from 'fastify'

import { AUDIT_KINDS } from '../../../contract/audit.ts'
import { formatMoment } from '../../../contract/dates.ts'
import { WORKBOOK_TYPE, writeWorkbook, type CellValue, type SheetColumn } from '../../../platform/server/workbook-writer.ts'
import type { AuditEvent, AuditFilter } from '../../operations/audit/contract.ts'
import { chainBeforeReading, readAuditEvents } from '../../operations/audit/queries.server.ts'
import { getListFileName } from './rules.ts'
import { type DownloadContext, formatContentDisposition, sendFile } from './send-file.server.ts'

const TITLE = 'Audit Trail'

const toLabel = (kind: string): string => (Object.hasOwn(AUDIT_KINDS, kind) ? AUDIT_KINDS[kind as keyof typeof AUDIT_KINDS] : kind)
const toJson = (values: AuditEvent['before']): CellValue => (values === null ? null : JSON.stringify(values))

interface AuditColumn extends SheetColumn {
  readonly toCell: (event: AuditEvent, timeZone: string) => CellValue
}

const text = (header: string, width: number, toCell: AuditColumn['toCell']): AuditColumn => ({ header, kind: 'text', width, toCell })

const COLUMNS: readonly AuditColumn[] = [
  text('When', 24, ({ at }, timeZone) => formatMoment(at, timeZone)),
  text('Event', 28, ({ kind }) => toLabel(kind)),
  text('Name', 24, ({ name }) => name),
  text('Email', 30, ({ actor }) => actor),
  text('Token', 20, ({ token }) => token),
  text('Network address', 20, ({ address }) => address),
  text('Record', 38, ({ record }) => record),
  text('Before', 48, ({ before }) => toJson(before)),
  text('After', 48, ({ after }) => toJson(after)),
  text('Kind', 24, ({ kind }) => kind),
  text('Moment (UTC)', 26, ({ at }) => at),
  text('Request', 20, ({ request }) => request),
  { header: 'Row', kind: 'number', width: 12, toCell: ({ sequence }) => String(sequence) },
  text('Hash', 66, ({ hash }) => hash),
]

/** The entry in the download log: the workbook and its filters. */
const formatKind = (filter: AuditFilter): string =>
  [TITLE, ...Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))].join(', ')

/** Sends the audit trail as a workbook and logs the download. */
export const sendAuditWorkbook = async (filter: AuditFilter, caller: DownloadContext): Promise<FastifyReply> => {
  const { context, request, reply } = caller
  const { timeZone } = context.configuration
  const name = getListFileName(TITLE, 'xlsx', new Date(), timeZone)
  if (request.method === 'HEAD')
    return reply
      .type(WORKBOOK_TYPE)
      .header('cache-control', 'no-store')
      .header('content-disposition', formatContentDisposition(name))
      .send()
  await chainBeforeReading(context)
  return sendFile(caller, async () => {
    let rows = 0
    const batches = readAuditEvents(context, { ...filter, order: 'newest' })
    // Before the first byte, so that a database failure becomes an error response.
    const first = await batches.next()
    async function* toRows() {
      for (let batch = first; !batch.done; batch = await batches.next()) {
        rows += batch.value.length
        yield batch.value.map((event) => COLUMNS.map(({ toCell }) => toCell(event, timeZone)))
      }
    }
    const chunks = writeWorkbook([{ name: TITLE, columns: COLUMNS, batches: toRows() }])
    return { kind: formatKind(filter), name, type: WORKBOOK_TYPE, chunks, rows: () => rows, close: () => {} }
  })
}
