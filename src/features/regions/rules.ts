/** The state of a region, by the region's name (section 9). */
const STATES: Readonly<Record<string, string>> = { California: 'CA', Michigan: 'MI', Ohio: 'OH', 'South Carolina': 'SC', Texas: 'TX' }

/** All a region is called: its name, and the code of its state. */
export const namesOfRegion = (name: string): readonly string[] => [name, ...(STATES[name] === undefined ? [] : [STATES[name]])]
