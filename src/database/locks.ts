/** All advisory locks of a database, in one place so that numbers are unique. */
export const LOCKS = {
  /** Held for migrations, so that servers starting at the same time apply them one after the other. */
  migration: 7_041_886,
  /** Held, shared, by every process that uses the private database. The one server that runs on it also holds the next lock. */
  privateDatabaseInUse: 7_041_887,
  privateDatabaseServer: 7_041_888,
  /** One import of a directory at a time. */
  directoryImport: 7_041_889,
  /** Held for loading the sample network into an empty database. */
  sample: 7_041_890,
  /** Held for grants and removals of permissions; sign-ins hold it shared. */
  permissions: 7_041_891,
  /** One server at a time extracts deadlines from text. */
  deadlines: 7_041_892,
  /** One server at a time sends reminders. */
  reminders: 7_041_893,
  /** One server at a time sends check mails. */
  checks: 7_041_896,
  /** One server at a time sends the monthly mails of insights. */
  insights: 7_041_900,
  /** Held for changes of provisioned users; sign-ins hold it shared. */
  provisioning: 7_041_898,
  /** One server at a time makes the daily backup. */
  backup: 7_041_899,
} as const
