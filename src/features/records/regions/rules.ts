/** The state of a region, by the region's name (section 9). */
const STATES: Readonly<Record<string, string>> = { California: 'CA', Michigan: 'MI', Ohio: 'OH', 'South Carolina': 'SC', Texas: 'TX' }

/** All a region is called: its name, and the code of its state. */
export const namesOfRegion = (name: string): readonly string[] => [name, ...(STATES[name] === undefined ? [] : [STATES[name]])]

/** The state of whatever lies in a region: California for every other name (section 9, D50). */
export const stateOfRegion = (name: string): string => STATES[name] ?? 'CA'
