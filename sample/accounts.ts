import { findFreeSlug } from '../src/contract/slugs.ts'
import { type Employee, getPhone, type TakenByPeople } from './people.ts'
import { AREAS, type Place } from './places.ts'
import type { Plan } from './plan.ts'
import { generateId, createRandom } from './random.ts'
import type { Row } from './rows.ts'

/** Someone in the head office: in the directory, at no site, and the author of most of the network's changes. */
interface OfficeWorker {
  readonly name: string
  readonly address: string
  readonly title: string
  /** Their permission; null for someone who only browses. */
  readonly permission: { readonly accessLevel: number; readonly accessName: string } | null
}

const ADMIN = { accessLevel: 5, accessName: 'Admin' } as const
const MANAGER = { accessLevel: 6, accessName: 'Manager' } as const

/** The first four are the accounts that the local sign-in page offers. */
export const OFFICE: readonly OfficeWorker[] = [
  { name: 'Dana Whitlock', address: 'super@sample.test', title: 'Director of Information Services', permission: { accessLevel: 1, accessName: 'Super Admin' } },
  { name: 'Corinne Abernathy-Sato', address: 'affairs@sample.test', title: 'Charter Affairs Officer', permission: ADMIN },
  { name: 'Priyanka Deol', address: 'manager@sample.test', title: 'Facilities Manager', permission: MANAGER },
  { name: 'Marisol Vance', address: 'staff@sample.test', title: 'Teacher on Assignment', permission: null },
  { name: 'Wendell Brandvold', address: 'wendell.brandvold@meridian.example', title: 'Directory Coordinator', permission: ADMIN },
  { name: 'Yesenia Fuentes-Lara', address: 'yesenia.fuenteslara@meridian.example', title: 'Enrollment Analyst', permission: ADMIN },
  { name: 'Marcus Tolliver', address: 'marcus.tolliver@meridian.example', title: 'SIS Administrator', permission: MANAGER },
] // prettier-ignore

export const ACTORS = {
  founder: 'Dana Whitlock',
  affairs: 'Corinne Abernathy-Sato',
  facilities: 'Priyanka Deol',
  directory: 'Wendell Brandvold',
  enrollment: 'Yesenia Fuentes-Lara',
  sis: 'Marcus Tolliver',
} as const

const OFFICE_PLACE: Place = AREAS.capital[0] as Place

export const getOfficeId = (plan: Plan, turn: number): string => generateId(plan.seed, 'office', turn)

export const listOfficePeople = (plan: Plan, taken: TakenByPeople): Row<'person'>[] =>
  OFFICE.map(({ name, address }, turn) => {
    taken.addresses.add(address)
    const random = createRandom(plan.seed, 'office', turn)
    return {
      _id: getOfficeId(plan, turn),
      slug: findFreeSlug(name, taken.slugs),
      name,
      phone: getPhone(random, OFFICE_PLACE),
      email: address,
      fax: null,
      leftAt: null,
      sql_person_id: String(201 + turn * 17).padStart(6, '0'),
      checkedAt: null,
      checkedBy: null,
    }
  })

/** The permission of an address of the head office, or of a person at a site. */
export const getPermissionId = (plan: Plan, holder: string): string => generateId(plan.seed, 'permission', holder)

export const listOfficePermissions = (plan: Plan, applicationID: string): Row<'permission'>[] =>
  OFFICE.flatMap(({ name, address, permission }, turn) =>
    permission === null
      ? []
      : [
          {
            _id: getPermissionId(plan, address),
            applicationID,
            azureID: address,
            name,
            person: getOfficeId(plan, turn),
            account: null,
            superAdmin: permission.accessLevel === 1,
            ...permission,
          },
        ],
  )

/** How many days ago they became administrators. */
export const ADMINISTRATORS_SINCE = 60

/** How many people at sites also administer the application. */
const SITE_ADMINISTRATORS = 12

/** Those people: at unrelated sites, and employed since the beginning. */
export const chooseSiteAdministrators = (plan: Plan): Set<number> => {
  const staffed = plan.sites.filter(
    ({ local, status, predecessor, entered }) =>
      local.length > 0 && status === 'ACTIVE' && predecessor === null && entered > ADMINISTRATORS_SINCE + 7,
  )
  const interval = Math.max(1, Math.floor(staffed.length / SITE_ADMINISTRATORS))
  return new Set(
    staffed
      .filter((_, turn) => turn % interval === 0)
      .slice(0, SITE_ADMINISTRATORS)
      .map(({ firstEmployee }) => firstEmployee),
  )
}

/** The permission record of someone at a site; people without an address cannot have one. */
export const toSitePermission = (plan: Plan, applicationID: string, person: Row<'person'>): Row<'permission'>[] =>
  person.email === null
    ? []
    : [
        {
          _id: getPermissionId(plan, person._id),
          applicationID,
          azureID: person.email,
          name: person.name,
          person: person._id,
          account: null,
          superAdmin: false,
          ...ADMIN,
        },
      ]

/** People in the directory without a site: between two positions, or on leave. */
export const listPeopleWithoutSite = (plan: Plan): Employee[] =>
  Array.from({ length: Math.min(12, plan.sites.length) }, (_, turn) => {
    const charter = plan.charters[(turn * 5) % plan.charters.length]
    return {
      number: plan.freeNumber + turn,
      place: charter?.sites[0]?.place ?? OFFICE_PLACE,
      domain: charter?.brand.domain ?? 'meridian.example',
    }
  })
