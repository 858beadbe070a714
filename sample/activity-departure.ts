import { ACTORS } from './accounts.ts'
import { type ActivityContext, listBusySites, toStep } from './activity-people.ts'
import { getPersonId } from './people.ts'
import { generateId } from './random.ts'
import { insertActivity, remove, type Step, update } from './rows.ts'
import { listLocalEmployees, toStaffRow } from './staff-rows.ts'

/** A person who left last month, and whose roles ended with that. */
export const planDeparture = (context: ActivityContext): Step[] => {
  const { plan, members, addressOf } = context
  const site = listBusySites(plan).find(({ local }) => local.length > 3)
  const employee = site && listLocalEmployees(site).at(-1)
  if (site === undefined || employee === undefined) return []
  const person = getPersonId(plan.seed, employee.number)
  const directory = members.office(ACTORS.directory)
  const roles = (site.local.at(-1) ?? []).map((role) => toStaffRow(plan, site, employee, role))
  return [
    toStep(context, directory, 30, 'departure', (at) => [
      remove(
        'site_person',
        roles.map(({ _id }) => _id),
      ),
      update('person', [{ _id: person, leftAt: at }]),
      insertActivity('departure', [
        {
          _id: generateId(plan.seed, 'departure', person),
          person,
          at,
          by: directory.name,
          address: addressOf(person) ?? null,
          endedRoles: roles.map((role) => ({ ...role, version: 1, updatedAt: at.toISOString(), updatedBy: directory.name })),
          newRoles: [],
          accounts: [],
          permissions: [],
          deadlines: null,
        },
      ]),
    ]),
  ]
}
