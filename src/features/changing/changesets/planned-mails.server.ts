import { formatDay } from '../../../contract/dates.ts'
import { isEmail } from '../../../contract/emails.ts'
import type { Tx } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { toOneLine, toSubject } from '../../../platform/server/mail/layout.ts'
import { findPart } from '../../../platform/server/record-editor.ts'
import { formatFieldValue } from '../requests/rules.ts'
import { getPlannedKind, type StoredPlan, toPlannedChanges } from './planned-queries.server.ts'

const sendTo = async (tx: Tx, { mail }: AppContext, address: string | null | undefined, subject: string, body: string) => {
  if (!address || !isEmail(address)) return
  await mail.enqueue(tx, { kind: 'reminder', recipients: [address], subject: toSubject(subject), body })
}

const findPlannerAddress = async (tx: Tx, { account }: StoredPlan): Promise<string | undefined> =>
  (await tx.selectFrom('account').select('azureID').where('_id', '=', account).executeTakeFirst())?.azureID

const nameRecord = ({ kinds, readModel }: AppContext, { kind, record }: StoredPlan): string =>
  toOneLine(kinds[kind].describe(readModel, record)?.name ?? 'a record')

/** The records of planned changes, for a subject: the first one, and the number of others. */
const describePlans = (context: AppContext, plans: readonly [StoredPlan, ...StoredPlan[]]): string =>
  plans.length === 1 ? nameRecord(context, plans[0]) : `${nameRecord(context, plans[0])} and ${plans.length - 1} more`

/** Emails the person who planned changes that they could not be saved. */
export const mailFailedPlans = async (
  tx: Tx,
  context: AppContext,
  plans: readonly [StoredPlan, ...StoredPlan[]],
  problem: string,
): Promise<void> => {
  const about = describePlans(context, plans)
  await sendTo(
    tx,
    context,
    await findPlannerAddress(tx, plans[0]),
    `Planned change not saved: ${about}`,
    `The change of ${about} that you planned for ${formatDay(plans[0].day)} could not be saved. Nothing was changed.\n\n${problem}\n\n${context.configuration.publicUrl}/\n`,
  )
}

const toIds = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** The people who get or lose a role at a site through these plans, with a sentence for each role. */
const listRoleChanges = (context: AppContext, plans: readonly StoredPlan[]): ReadonlyMap<string, readonly string[]> => {
  const sentences = new Map<string, string[]>()
  const add = (person: string, sentence: string) => sentences.set(person, [...(sentences.get(person) ?? []), sentence])
  for (const plan of plans)
    for (const [path, planned] of Object.entries(plan.changes)) {
      const { part, inner } = findPart(getPlannedKind(context, plan.kind), path)
      if (part.prefix !== 'roles') continue
      const [before, after] = [toIds(plan.before[path]), toIds(planned)]
      const role = part.getLabel(inner, context.readModel)
      const site = nameRecord(context, plan)
      for (const person of after) if (!before.includes(person)) add(person, `You are now ${role} of ${site}.`)
      for (const person of before) if (!after.includes(person)) add(person, `You are no longer ${role} of ${site}.`)
    }
  return sentences
}

/** Emails the person who planned changes, and the people whose roles they change, that the changes were saved. */
export const mailSavedPlans = async (
  tx: Tx,
  context: AppContext,
  plans: readonly [StoredPlan, ...StoredPlan[]],
  changeset: string,
): Promise<void> => {
  const { publicUrl } = context.configuration
  const day = formatDay(plans[0].day)
  const planner = await findPlannerAddress(tx, plans[0])
  const described = await toPlannedChanges(context, plans)
  const lines = described.flatMap(({ record, fields }) =>
    // Emails contain no values of charter affairs.
    record.kind === 'charter_affair'
      ? [`${toOneLine(record.name)}: charter affair`]
      : fields.map(
          ({ path, label, before, beforeName, planned, plannedName }) =>
            `${toOneLine(record.name)}: ${label}: ${formatFieldValue(path, before, beforeName)} → ${formatFieldValue(path, planned, plannedName)}`,
        ),
  )
  await sendTo(
    tx,
    context,
    planner,
    `Planned change saved: ${describePlans(context, plans)}`,
    `What you planned for ${day} was saved:\n\n${lines.join('\n')}\n\n${publicUrl}/changes/${changeset}\n`,
  )
  for (const [_id, sentences] of listRoleChanges(context, plans)) {
    const person = context.readModel.table('person').get(_id)
    if (person?.email?.toLowerCase() === planner?.toLowerCase()) continue
    const more = `As planned by ${toOneLine(plans[0].by)} for ${day}.`
    await sendTo(tx, context, person?.email, 'Your roles at sites have changed', `${sentences.join('\n')}\n\n${more}\n\n${publicUrl}/\n`)
  }
}
