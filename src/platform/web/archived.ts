import { createContext } from 'react'

import type { Capability } from '../../contract/capabilities.ts'
import { isRead } from './past-day.ts'

/** Whether the page is that of an archived record, on which nothing can be changed until it is restored. */
export const ArchivedPage = createContext(false)

const OF_ARCHIVED: ReadonlySet<Capability> = new Set(['archive a record', 'erase personal data', 'read a history'])
/** What people can do with an archived record. */
export const isPossibleArchived = (capability: Capability): boolean => isRead(capability) || OF_ARCHIVED.has(capability)
