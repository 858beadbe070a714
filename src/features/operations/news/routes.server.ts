import { can } from '../../../contract/capabilities.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { closeNews, readNews } from './contract.ts'
import { saveSeenVersion } from './mutations.server.ts'
import { findSeenVersion } from './queries.server.ts'
import { NEWS } from './rules.ts'

export const newsRoutes: Route[] = [
  handle(readNews, async ({ context: { db }, user }) => {
    const isSeen = (await findSeenVersion(db, user.account)) === NEWS.version
    const own = NEWS.lines.filter(({ capability = 'browse the directory' }) => can(user.accessLevel, capability))
    return { version: NEWS.version, lines: isSeen ? [] : own.map(({ text, to = null }) => ({ text, to })) }
  }),
  handle(closeNews, async ({ context: { db }, user }) => saveSeenVersion(db, user.account, NEWS.version)),
]
