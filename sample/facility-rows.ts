import { toIsoDay, toUsDay } from './calendar.ts'
import { pickFullName } from './names.ts'
import { getPhone } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { createRandom } from './random.ts'
import type { Row } from './rows.ts'

const LANDLORDS = ['Harlan & Pryce Properties', 'Tessera Retail Partners LP', 'Oakbend Holdings LLC', 'The Marchetti Family Trust', 'Pacific Loom Realty', 'Granger-Holt Commercial', 'City of {city}', 'Tri-County Plaza Associates'] // prettier-ignore
const AGREEMENTS = ['Lease', 'Lease', 'Lease', 'Sublease', 'License agreement', 'Facilities use agreement', 'Month to month', 'Owned']
const SIGNAGE = [
  'One illuminated wall sign above the entrance, at most 24 inches high; landlord approves the color.',
  'Name on the pylon sign, second panel from the top. Window lettering up to 20% of the glass.',
  'No exterior signs. A plaque beside the door is allowed.',
  'Bilingual (English and Spanish), as the city asks.',
]
const NOTES = [
  'Roof repaired last spring; the ceiling tiles of room 3 are still to be replaced.',
  'HVAC is serviced by the landlord in March and September. Filters are ours.',
  'Alarm code with the School Operations Manager only. After three false alarms the city bills 150 dollars.',
  'Two keys for the rear gate are missing since the summer move. Locksmith quoted 380 dollars.',
  'The tenant improvement allowance of 42,000 dollars is spent but for the lobby lights.',
  'Shared lot: 18 marked spaces are ours. The tow company needs 24 hours of notice for events.',
  'ADA survey done; open items: handrail at the side stairs, threshold of the testing room, height of the reception counter. The landlord disputes the handrail and has been asked, twice in writing, for the drawings of the 1998 permit.',
]
const LEASE_NOTES = [
  'Rent rises 3% each July. Common-area charges are reconciled in April.',
  'Landlord may end with twelve months of notice once the parcel is rezoned.',
  'First right of refusal on the neighbouring unit (1,150 sq ft).',
  'Holdover at 125% of the last rent. Renewal letter goes out by registered mail.',
]
const TERMS = [12, 36, 36, 60, 60, 84, 120]

const formatDollars = (amount: number): string => `$${amount.toLocaleString('en-US')}.00`

export const toFacilityRow = (plan: Plan, site: PlannedSite): Row<'facility'> => {
  const random = createRandom(plan.seed, 'facility', site.index)
  const { place, charter } = site
  const known = site.status === 'PENDING' ? 0.4 : 0.85
  const maybe = <T>(value: T): T | null => (random.chance(known) ? value : null)
  const owned = random.chance(0.05)
  const agreement = owned ? 'Owned' : random.pick(AGREEMENTS)
  const months = random.pick(TERMS)
  const startedAgo = random.int(30, months * 30)
  const openEnded = !owned && random.chance(0.18)
  const leased = !owned && random.chance(known)
  // A few leases have ended although the site is still open.
  const hasEnded = site.index % 60 === 19
  const squareFeet = random.int(9, 140) * 50
  const holder = `${charter.brand.name.replace(/ (Charter Schools|Academies|Learning|Learning Centers|Schools & Partners|Academy Network)$/, '')} ${random.pick(['Schools, Inc.', 'Education Corp.', 'Facilities LLC'])}`
  return {
    site: site._id,
    county: maybe(place.county),
    lease_holder: maybe(holder),
    lease_start: leased ? toIsoDay(plan.day, -startedAgo) : null,
    lease_end: leased && !openEnded ? toIsoDay(plan.day, hasEnded ? -startedAgo % 60 : months * 30 - startedAgo) : null,
    lease_end_open: openEnded,
    apn: maybe(`${String(random.int(1, 799)).padStart(3, '0')}-${random.int(100, 989)}-${String(random.int(1, 89)).padStart(2, '0')}`),
    sq_footage: maybe(random.chance(0.9) ? squareFeet.toLocaleString('en-US') : `approx. ${squareFeet} incl. storage`),
    phone_2: random.chance(0.4) ? getPhone(random, place) : null,
    partnership: site.category === 'Partnership' || random.chance(0.06),
    fac_notes: random.chance(0.55) ? random.some(NOTES, random.int(1, 3)).join('\n') : null,
    agreement_type: maybe(agreement),
    signage_language: random.chance(0.5) ? random.pick(SIGNAGE) : null,
    original_lease_holder: random.chance(0.3) ? random.pick(LANDLORDS).replace('{city}', place.city) : null,
    base_rent: owned ? null : maybe(`${formatDollars(Math.round(squareFeet * (1.1 + random.next() * 1.6)))} a month`),
    option_renew: leased ? random.pick(['Two options of 3 years each, 180 days of notice', 'One option of 5 years at market rent', 'None', 'Automatic, year by year']) : null,
    lease_notes: leased && random.chance(0.6) ? random.some(LEASE_NOTES, random.int(1, 2)).join(' ') : null,
    guarantor: random.chance(0.3) ? random.pick([holder, pickFullName(random), 'None']) : null,
    original_lease_holder_released: random.chance(0.3) ? random.pick(['Yes', 'No', `Yes, ${toUsDay(plan.day, -random.int(200, 900))}`]) : null,
    original_guarantor_released: random.chance(0.25) ? random.pick(['Yes', 'No', 'Not applicable']) : null,
    leaseTerm: leased ? (months === 12 ? '1 year' : `${months / 12} years`) : null,
  } // prettier-ignore
}
