import { OFFICE } from './accounts.ts'
import { BRANDS } from './brands.ts'
import { pickFirstName, pickLastName } from './names.ts'
import { toEmailAddress, getHrNumber } from './people.ts'
import { AREAS, REGION_OF } from './places.ts'
import type { Plan } from './plan.ts'
import { type Random, createRandom } from './random.ts'
import type { Row } from './rows.ts'

/** `María “Mari” de la Vega, Ed.D.` is "María" and "de la Vega" in the HR source. */
const splitName = (name: string): { FirstName: string; LastName: string } => {
  const [first = name, ...last] = name.replace(/“.*?” |,.*$/g, '').split(' ')
  return { FirstName: first, LastName: last.join(' ') || first }
}

const getDepartment = (title: string): string => {
  if (/Warehouse|Utility|Operations/.test(title)) return 'Operations'
  if (/SPED|Psychologist/.test(title)) return 'Special Education'
  if (/ELD/.test(title)) return 'English Language Development'
  if (/Registrar|Compliance|Front Desk|Administrative/.test(title)) return 'Administration'
  return /Counselor|Liaison/.test(title) ? 'Student Services' : 'Instruction'
}

const toAccountAddress = (random: Random, address: string): string => (random.chance(0.9) ? address : address.replace('@', '@mail.'))

/** The HR rows of someone in the application; none if they have no HR number. */
export const toHrRows = (plan: Plan, person: Row<'person'>, title: string, company: string, region: string): Row<'hr_person'>[] => {
  if (person.sql_person_id === null) return []
  const random = createRandom(plan.seed, 'hr', person.sql_person_id)
  return [
    {
      PersonID: person.sql_person_id,
      ...splitName(person.name),
      Hris_EmailAddress: random.chance(0.96) ? person.email : null,
      EmailAddress: person.email === null ? null : toAccountAddress(random, person.email),
      Title: title,
      Department: getDepartment(title),
      Company: company,
      Region: region,
    },
  ]
}

export const toOfficeHrRows = (plan: Plan, people: readonly Row<'person'>[]): Row<'hr_person'>[] =>
  people.flatMap((person, turn) =>
    toHrRows(plan, person, OFFICE[turn]?.title ?? 'Analyst', BRANDS[0]?.name ?? '', 'California').map((row) => ({
      ...row,
      Hris_EmailAddress: person.email,
      EmailAddress: person.email,
      Department: 'Information Services',
    })),
  )

/** Six of ten employees are not in the application yet; fewer are enough in a large network. */
const UNLISTED = { share: 1.5, most: 15_000 }
const TITLES = ['Teacher', 'Teacher', 'Teacher', 'Substitute Teacher', 'Tutor', 'Payroll Clerk', 'Counselor', 'Registrar', 'SPED Specialist', 'Accountant', 'Custodian', 'Warehouse Technician'] // prettier-ignore

/** People in the HR source who are not in the application yet, some without one address or both. */
export const createUnlistedHrRows = (plan: Plan, firstNumber: number, addresses: Set<string>): Row<'hr_person'>[] =>
  Array.from({ length: Math.min(Math.round(addresses.size * UNLISTED.share), UNLISTED.most) }, (_, turn) => {
    const number = firstNumber + turn
    const random = createRandom(plan.seed, 'not yet', turn)
    const brand = random.pick(plan.brands)
    const title = random.pick(TITLES)
    const name = { FirstName: pickFirstName(random), LastName: pickLastName(random) }
    const address = toEmailAddress(`${name.FirstName} ${name.LastName}`, brand.domain, addresses)
    const place = random.pick(AREAS[random.pick(plan.charters).area])
    return {
      PersonID: getHrNumber(number),
      ...name,
      Hris_EmailAddress: random.chance(0.85) ? address : null,
      EmailAddress: random.chance(0.85) ? toAccountAddress(random, address) : null,
      Title: title,
      Department: getDepartment(title),
      Company: brand.name,
      Region: REGION_OF[place.state],
    }
  })
