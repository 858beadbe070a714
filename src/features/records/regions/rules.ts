/** The state of a region, by the region's name. */
const STATE_CODES: Readonly<Record<string, string>> = { California: 'CA', Michigan: 'MI', Ohio: 'OH', 'South Carolina': 'SC', Texas: 'TX' }

/** All a region is called: its name, and the code of its state. */
export const getRegionNames = (name: string): readonly string[] => [name, ...(STATE_CODES[name] === undefined ? [] : [STATE_CODES[name]])]

/** The state of whatever lies in a region: California for every other name. */
export const getRegionState = (name: string): string => STATE_CODES[name] ?? 'CA'
