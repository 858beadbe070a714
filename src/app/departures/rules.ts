/** The prefix of what a planned departure holds. */
export const LEAVING = 'leaving'

/** A role at a site, as a plan names it: a row of `site_person` may be deleted and added again until then. */
export const getPositionKey = (site: string, role: string): string => `${site} ${role}`
