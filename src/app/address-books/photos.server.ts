import { findDirectoryPhoto } from '../../features/changing/pictures/queries.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import { toJpeg } from '../../platform/server/picture-encoding.ts'
import type { ContactRecord } from './contacts.server.ts'

/** The photo of a person from the directory service; undefined if it has none. */
export const readPhoto = async (context: AppContext, { account }: SignedIn, { kind, _id }: ContactRecord) => {
  await context.readModel.ready()
  const address = kind === 'person' ? context.readModel.table(kind).get(_id)?.email : null
  if (!address) return undefined
  const photo = await findDirectoryPhoto(context, { account, address, isOwn: false })
  // Many contact programs read nothing newer than JPEG.
  return photo ? toJpeg(photo.bytes) : undefined
}
