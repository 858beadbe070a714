/** The prefix of the actor that the change history shows for an import. */
const IMPORT_ACTOR_PREFIX = 'Import of '
export const getImportActor = (fileName: string): string => `${IMPORT_ACTOR_PREFIX}${fileName}`
export const isImportActor = (account: string | null, name: string | null): boolean =>
  account === null && name?.startsWith(IMPORT_ACTOR_PREFIX) === true
