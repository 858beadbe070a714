import { findDirectoryPhoto } from '../../features/changing/pictures/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import type { ContactRecord } from './contacts.server.ts'

/** The photo of a person from the directory service; undefined if it has none. */
export const readPhoto = async (context: AppContext, { account }: SignedIn, { kind, _id }: ContactRecord) => {
  await context.readModel.ready()
  const address = kind === 'person' ? context.readModel.table(kind).get(_id)?.email : null
  if (!address) return undefined
  const photo = await findDirectoryPhoto(context, { account, address, isOwn: false })
  return photo ?? undefined
}
