import type { Random } from './random.ts'

/**
 * The staff of a kind of site: roles with the number of people who hold them (a fraction is a probability). The pages group people by these role
 * names.
 */
type Staffing = readonly (readonly [role: string, people: number])[]

const TEACHING: Staffing = [
  ['Principal', 1],
  ['Student Relations Manager', 0.95],
  ['Assistant Principal', 0.3],
  ['Learning Center Coordinator', 0.6],
  ['School Operations Manager', 0.25],
  ['Administrative Assistant', 0.5],
  ['Counselor', 0.8],
  ['Registrar', 0.7],
  ['Front Desk Staff', 0.8],
  ['Community Liaison', 0.3],
  ['ELD Lead', 0.3],
  ['ELD SST', 0.15],
  ['SPED Specialist', 0.5],
  ['SPED Technician', 0.25],
  ['SPED Data Tech', 0.15],
  ['Site Utility', 0.3],
]

const LOCAL: Record<string, Staffing> = {
  'Resource Center': TEACHING,
  Partnership: TEACHING.filter(([role]) => !['Assistant Principal', 'School Operations Manager', 'Site Utility'].includes(role)),
  Online: [...TEACHING.filter(([role]) => role !== 'Site Utility' && role !== 'Front Desk Staff'), ['Counselor', 0.6]],
  'Distribution Center': [
    ['Warehouse Manager', 1],
    ['Warehouse Technician', 2.6],
    ['School Operations Manager', 0.5],
    ['Administrative Assistant', 0.6],
    ['Site Utility', 1.2],
  ],
  'Administrative Office': [
    ['School Operations Manager', 1],
    ['Administrative Assistant', 2.5],
    ['Compliance', 1.4],
    ['Registrar', 1],
    ['SPED Data Tech', 1],
    ['Front Desk Staff', 0.8],
  ],
}

/** Roles that someone has in addition to their own. */
const SECOND: Record<string, string> = {
  Registrar: 'SPED Data Tech',
  Principal: 'School Operations Manager',
  'ELD Lead': 'ELD SST',
  'Administrative Assistant': 'Front Desk Staff',
  'SPED Specialist': 'SPED Technician',
  'Warehouse Manager': 'Site Utility',
}

/** The people who work at one site only, with the roles of each. A site that opens later has few, a closed one fewer. */
export const listLocalStaff = (random: Random, category: string, status: string): string[][] => {
  const open = status.startsWith('ACTIVE')
  const share = open ? 1 : status === 'PENDING' ? 0.35 : 0.15
  return (LOCAL[category] ?? TEACHING).flatMap(([role, people]) => {
    const count = Math.floor(people * share) + (random.chance((people * share) % 1) ? 1 : 0)
    return Array.from({ length: count }, () => {
      const second = SECOND[role]
      return second !== undefined && random.chance(0.09) ? [role, second] : [role]
    })
  })
}

/** A role that one person has at many sites of an area or region, up to a maximum; and the share of sites that have it. */
export interface SharedRole {
  readonly role: string
  readonly over: 'area' | 'region'
  readonly sites: number
  readonly share: number
}

export const SHARED: readonly SharedRole[] = [
  { role: 'Area Superintendent', over: 'area', sites: 14, share: 0.96 },
  { role: 'Regional SRM', over: 'area', sites: 28, share: 0.96 },
  { role: 'Regional Vice President', over: 'region', sites: 90, share: 0.92 },
  { role: 'Lead Counselor', over: 'area', sites: 14, share: 0.5 },
  { role: 'School Psychologist', over: 'area', sites: 14, share: 0.6 },
  { role: 'ELD Specialist', over: 'area', sites: 28, share: 0.4 },
  { role: 'Compliance', over: 'area', sites: 28, share: 0.3 },
  { role: 'Regional Utility', over: 'region', sites: 60, share: 0.25 },
]
