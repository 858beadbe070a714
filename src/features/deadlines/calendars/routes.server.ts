import { createHash } from 'node:crypto'

import { can } from '../../../contract/capabilities.ts'
import { forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getAuditActor, recordAffairPartsRead, recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { Semaphore } from '../../../platform/server/semaphore.ts'
import type { DeadlineSearch } from '../deadlines/contract.ts'
import { getToday } from '../deadlines/queries.server.ts'
import { writeCalendarFile } from './calendar-file.server.ts'
import { createCalendar, deleteCalendar, listCalendars, type NewAddress, readCalendar, renewCalendarAddress } from './contract.ts'
import { type GivenAddress, insertCalendar, removeCalendar, renewAddress, markCalendarUsed } from './mutations.server.ts'
import { countFound, findCalendar, listCalendarsOf, listDeadlinesOf } from './queries.server.ts'

const MANAGE_ALL_CALENDARS = 'end anyone’s sessions'

/** Counts the deadlines of a new calendar; throws 422 if its filter refers to an unknown record. */
const countOrRefuse = async (context: AppContext, user: SignedIn, filter: DeadlineSearch): Promise<number> => {
  try {
    return await countFound(context, user, filter)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) throw invalidFields([{ path: 'filter', message: error.message }])
    throw error
  }
}

const toNewAddress = ({ configuration }: AppContext, { _id, secret, version }: GivenAddress, deadlines: number): NewAddress => ({
  _id,
  url: `${configuration.publicUrl}/calendar/${secret}.ics`,
  deadlines,
  version,
})

/** Files generated concurrently: a large one takes a second. */
const writing = new Semaphore(2)

export const calendarRoutes: Route[] = [
  handle(listCalendars, async ({ query, user, context }) => {
    const isAll = query.all === 'true'
    if (isAll && !can(user.accessLevel, MANAGE_ALL_CALENDARS)) throw forbidden(MANAGE_ALL_CALENDARS)
    return listCalendarsOf(context, user, isAll ? null : user.account)
  }),
  handle(createCalendar, async ({ body, user, context, request, edit }) => {
    const deadlines = await countOrRefuse(context, user, body.filter)
    const given = await edit(async (tx) => {
      const inserted = await insertCalendar(tx, { ...body, account: user.account, createdAt: context.now() })
      const { name, filter, reminderDays } = body
      const after = { account: user.account, name, filter, reminderDays }
      await recordAudit(tx, request, { kind: 'calendar.created', record: inserted._id, after })
      return inserted
    })
    logSecurityEvent(context.log, request, 'calendar_made', { of: user.account, calendar: given._id })
    return toNewAddress(context, given, deadlines)
  }),
  handle(renewCalendarAddress, async ({ params, user, context, request, edit }) => {
    const given = await edit(async (tx, ifMatchVersion) => {
      const renewed = await renewAddress(tx, params.id, { account: user.account, createdAt: context.now() }, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'calendar.renewed', record: params.id, after: { account: user.account } })
      return renewed
    })
    logSecurityEvent(context.log, request, 'calendar_renewed', { of: user.account, calendar: given._id })
    const deadlines = await countFound(context, user, given.filter).catch(() => 0)
    return toNewAddress(context, given, deadlines)
  }),
  handle(deleteCalendar, async ({ params, user, context, request, edit }) => {
    const account = can(user.accessLevel, MANAGE_ALL_CALENDARS) ? null : user.account
    const of = await edit(async (tx, ifMatchVersion) => {
      const owner = await removeCalendar(tx, params.id, account, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'calendar.removed', record: params.id, before: { account: owner } })
      return owner
    })
    logSecurityEvent(context.log, request, 'calendar_removed', { of, calendar: params.id })
  }),
  handle(readCalendar, async ({ params, context, request, reply }) => {
    const calendar = await findCalendar(context, params.secret)
    if (!calendar) throw notFound('Calendar')
    await markCalendarUsed(context.db, calendar._id, context.now(), request.headers['user-agent'])
    return writing.run(async () => {
      const { name, reminderDays, owner } = calendar
      const deadlines = await listDeadlinesOf(context, calendar)
      const file = await writeCalendarFile(
        { name, reminderDays, publicUrl: context.configuration.publicUrl, today: getToday(context) },
        deadlines,
      )
      const etag = `"${createHash('sha256').update(file).digest('base64url').slice(0, 27)}"`
      void reply.header('etag', etag)
      if (request.headers['if-none-match']?.includes(etag)) return await reply.code(304).send()
      const by = getAuditActor(request, { account: owner.account, actor: owner.azureID, name: owner.name, token: name })
      const charters = deadlines.map(({ charter }) => charter?._id)
      await recordAffairPartsRead(context, by, 'calendar feed', charters)
      return await reply.type('text/calendar; charset=utf-8').header('content-disposition', 'inline; filename="deadlines.ics"').send(file)
    })
  }),
]
