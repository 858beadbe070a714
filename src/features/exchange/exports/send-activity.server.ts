import type { FastifyReply } from 'fastify'

import { can } from '../../../contract/capabilities.ts'
import { formatMoment } from '../../../contract/dates.ts'
import { recordAffairRead } from '../../../platform/server/audit.ts'
import { WORKBOOK_TYPE, writeWorkbook, type CellValue, type SheetColumn } from '../../../platform/server/workbook-writer.ts'
import { type ActivityFilter, type ActivityRecord, MAX_WORKBOOK_CHANGES } from '../../record-tools/activity/contract.ts'
import { listChanges } from '../../record-tools/activity/queries.server.ts'
import { ACTIVITY_KIND_LABELS } from '../../record-tools/activity/rules.ts'
import type { Change } from '../../record-tools/history/contract.ts'
import { type ChangeLine, formatAction, formatActor, getChangeLines } from '../../record-tools/history/rules.ts'
import { ACTIVITY_PARTS } from './activity-parts.ts'
import { getListFileName } from './rules.ts'
import { type DownloadContext, formatContentDisposition, sendFile } from './send-file.server.ts'

const TITLE = 'Activity'

interface Row {
  readonly change: Change
  readonly record: ActivityRecord | undefined
  /** Undefined if the change has no values, such as a check or a new member of staff. */
  readonly line: ChangeLine | undefined
}

interface ActivityColumn extends SheetColumn {
  readonly toCell: (row: Row, timeZone: string) => CellValue
}

const text = (header: string, width: number, toCell: ActivityColumn['toCell']): ActivityColumn => ({ header, kind: 'text', width, toCell })

const COLUMNS: readonly ActivityColumn[] = [
  text('When', 24, ({ change: { at } }, timeZone) => formatMoment(at, timeZone)),
  text('Person', 24, ({ change }) => formatActor(change)),
  text('Suggested by', 24, ({ change }) => change.suggestedBy),
  text('Kind', 18, ({ record }) => (record ? ACTIVITY_KIND_LABELS[record.kind] : null)),
  text('Record', 38, ({ record }) => record?.name ?? null),
  text('What', 38, ({ change }) => formatAction(ACTIVITY_PARTS, change)),
  text('Field', 28, ({ line }) => line?.label ?? null),
  text('Before', 48, ({ change, line }) => (change.action === 'insert' ? null : (line?.from ?? null))),
  text('After', 48, ({ change, line }) => (change.action === 'delete' ? null : (line?.to ?? null))),
  text('Moment (UTC)', 26, ({ change: { at } }) => at),
]

const toRows = (change: Change, record: ActivityRecord | undefined, timeZone: string): Row[] => {
  const isCheck = change.action === 'check' || change.action === 'uncheck'
  const lines = isCheck ? [] : getChangeLines(ACTIVITY_PARTS, change, timeZone)
  return lines.length === 0 ? [{ change, record, line: undefined }] : lines.map((line) => ({ change, record, line }))
}

/** The entry in the download log: the workbook and its filters. */
const formatKind = (filter: ActivityFilter): string =>
  [TITLE, ...Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))].join(', ')

/** Sends the activity as a workbook and logs the download. */
export const sendActivityWorkbook = async (filter: ActivityFilter, caller: DownloadContext): Promise<FastifyReply> => {
  const { context, request, reply, user } = caller
  const { timeZone } = context.configuration
  const name = getListFileName(TITLE, 'xlsx', new Date(), timeZone)
  if (request.method === 'HEAD')
    return reply
      .type(WORKBOOK_TYPE)
      .header('cache-control', 'no-store')
      .header('content-disposition', formatContentDisposition(name))
      .send()
  if (can(user.accessLevel, 'read a charter affair')) await recordAffairRead(context, request, 'workbook of activity')
  return sendFile(caller, async () => {
    let rows = 0
    const batches = listChanges(context, user, filter, MAX_WORKBOOK_CHANGES)
    // Before the first byte, so that a database failure becomes an error response.
    const first = await batches.next()
    async function* toBatches() {
      for (let batch = first; !batch.done; batch = await batches.next()) {
        const listed = batch.value.flatMap(([change, record]) => toRows(change, record, timeZone))
        rows += listed.length
        yield listed.map((row) => COLUMNS.map(({ toCell }) => toCell(row, timeZone)))
      }
    }
    const chunks = writeWorkbook([{ name: TITLE, columns: COLUMNS, batches: toBatches() }])
    return { kind: formatKind(filter), name, type: WORKBOOK_TYPE, chunks, rows: () => rows, close: () => {} }
  })
}
