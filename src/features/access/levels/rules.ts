/** The level a new administrator gets by default. At least one permission record of this level or a more privileged one always remains. */
export const DEFAULT_ADMIN_LEVEL = 5
