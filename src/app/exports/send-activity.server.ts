import type { FastifyReply } from 'fastify'

import { can } from '../../contract/capabilities.ts'
import { formatMoment } from '../../contract/dates.ts'
import type { Change } from '../../features/changing/history/contract.ts'
import { type ChangeLine, formatAction, formatActor, getChangeLines } from '../../features/changing/history/rules.ts'
import { type ActivityFilter, type ActivityRecord, MAX_WORKBOOK_CHANGES } from '../../features/finding/activity/contract.ts'
import { listChanges } from '../../features/finding/activity/queries.server.ts'
import { ACTIVITY_KIND_LABELS } from '../../features/finding/activity/rules.ts'
import { recordAffairRead } from '../../platform/server/audit.ts'
import type { DownloadContext } from '../../platform/server/send-file.ts'
import { sendRows, textColumn } from '../../platform/server/send-rows.ts'
import { ACTIVITY_PARTS } from './history.ts'

interface Row {
  readonly change: Change
  readonly record: ActivityRecord | undefined
  /** Undefined if the change has no values, such as a check or a new member of staff. */
  readonly line: ChangeLine | undefined
}

const COLUMNS = [
  textColumn<Row>('When', 24, ({ change: { at } }, timeZone) => formatMoment(at, timeZone)),
  textColumn<Row>('Person', 24, ({ change }) => formatActor(change)),
  textColumn<Row>('Suggested by', 24, ({ change }) => change.suggestedBy),
  textColumn<Row>('Kind', 18, ({ record }) => (record ? ACTIVITY_KIND_LABELS[record.kind] : null)),
  textColumn<Row>('Record', 38, ({ record }) => record?.name ?? null),
  textColumn<Row>('What', 38, ({ change }) => formatAction(ACTIVITY_PARTS, change)),
  textColumn<Row>('Field', 28, ({ line }) => line?.label ?? null),
  textColumn<Row>('Before', 48, ({ change, line }) => (change.action === 'insert' ? null : (line?.from ?? null))),
  textColumn<Row>('After', 48, ({ change, line }) => (change.action === 'delete' ? null : (line?.to ?? null))),
  textColumn<Row>('Moment (UTC)', 26, ({ change: { at } }) => at),
]

const toRows = (change: Change, record: ActivityRecord | undefined, timeZone: string): Row[] => {
  const isCheck = change.action === 'check' || change.action === 'uncheck'
  const lines = isCheck ? [] : getChangeLines(ACTIVITY_PARTS, change, timeZone)
  return lines.length === 0 ? [{ change, record, line: undefined }] : lines.map((line) => ({ change, record, line }))
}

/** Sends the activity as a workbook and logs the download. */
export const sendActivityWorkbook = (filter: ActivityFilter, caller: DownloadContext): Promise<FastifyReply> => {
  const { context, request, user } = caller
  const prepare = async (): Promise<void> => {
    if (can(user.accessLevel, 'read a charter affair')) await recordAffairRead(context, request, 'workbook of activity')
  }
  async function* readRows(): AsyncGenerator<Row[]> {
    for await (const changes of listChanges(context, user, filter, MAX_WORKBOOK_CHANGES))
      yield changes.flatMap(([change, record]) => toRows(change, record, context.configuration.timeZone))
  }
  return sendRows({ title: 'Activity', columns: COLUMNS, filter, prepare, readRows }, caller)
}
