/** The advisory locks of a database, all in one place so that no two are the same number by accident. */
export const LOCKS = {
  /** Two starting servers queue here for the migrations. */
  migration: 7_041_886,
  /** Held, shared, by every process that uses the private database, and by the one server that runs on it. */
  privateDatabaseInUse: 7_041_887,
  privateDatabaseServer: 7_041_888,
  /** One import of a directory at a time. */
  directoryImport: 7_041_889,
  /** Two servers that start on one empty database queue here for the sample network. */
  sample: 7_041_890,
  /** Grants and removals of permissions queue here, and sign-ins, shared, for those. */
  permissions: 7_041_891,
  /** One server at a time reads deadlines from texts. */
  deadlines: 7_041_892,
  /** One server at a time sends reminders. */
  reminders: 7_041_893,
  /** One server at a time sends mails that ask for a check. */
  checks: 7_041_896,
  /** Changes of provisioned users queue here, and sign-ins, shared, for those. */
  provisioning: 7_041_898,
  /** One server at a time makes the daily backup. */
  backup: 7_041_899,
} as const
