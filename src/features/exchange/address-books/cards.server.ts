import { listVcardProperties, type VcardProperty, type VcardVersion, writeVcard } from '../../../contract/vcard.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getContactPhoto } from '../../changing/pictures/queries.server.ts'
import type { BookContact } from './address-books.server.ts'
import type { AddressDataRequest } from './dav-requests.server.ts'

/** A picture of which no smaller copy could be made is left out. */
const MAX_PHOTO_BYTES = 60_000

const loadPhoto = async (context: AppContext, { photo }: BookContact) => {
  if (!photo || 'url' in photo) return photo
  const picture = await getContactPhoto(context, photo.picture)
  const type = picture?.type === 'image/png' ? 'PNG' : picture?.type === 'image/jpeg' ? 'JPEG' : undefined
  if (!picture || !type || picture.bytes.length > MAX_PHOTO_BYTES) return null
  return { type, base64: picture.bytes.toString('base64') } as const
}

/** The properties of a contact for a filter, which does not look into pictures. */
export const listFilteredProperties = (contact: BookContact): VcardProperty[] =>
  listVcardProperties(
    { ...contact, photo: contact.photo && { url: 'picture' in contact.photo ? contact.photo.picture : contact.photo.url } },
    '3.0',
  )

/** A contact as a vCard, or those of its properties that a program wants. */
export const writeCard = async (
  context: AppContext,
  contact: BookContact,
  { version, only }: AddressDataRequest | { readonly version: VcardVersion; readonly only: null },
): Promise<string> => {
  const photo = only === null || only.has('PHOTO') ? await loadPhoto(context, contact) : null
  const properties = listVcardProperties({ ...contact, photo }, version)
  return writeVcard(only === null ? properties : properties.filter(({ name }) => only.has(name)), version)
}
