import { may } from '../../platform/contract/capabilities.ts'

/** What a new administrator is granted (sections 6 and 9), by whoever holds as much. */
export const NEW_ADMIN_LEVEL = 5
export const NEW_ADMIN_NAME = 'Admin'

/** The level somebody of this level grants: never more than they hold (D14). A lower number means more privilege. */
export const levelGrantedBy = (granter: number): number => Math.max(NEW_ADMIN_LEVEL, granter)

/** Whether somebody of this level is an administrator; null is nobody’s level. */
export const isAdministrator = (level: number | null): boolean => level !== null && may(level, 'manage administrators')
