import type { Db } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { canResize, type Picture, resizePicture } from '../../../platform/server/picture-encoding.ts'
import { insertPictureCopy } from '../../../platform/server/stored-pictures.ts'
import { getDirectoryPhotos, type PhotoRequest } from './directory-photo.server.ts'
import type { Photo } from './photo-cache.server.ts'

/** The bytes of a picture; `isFullSize` if the original is sent because no smaller copy could be made. */
export type PictureBytes = Pick<Picture, 'type' | 'bytes'> & { readonly isFullSize?: true }

/** The width of pictures in contacts, which are JPEG, because many contact programs read nothing newer. */
const CONTACT_PHOTO_WIDTH = 160

/** A picture as small as a contact needs it. */
export const getContactPhoto = (context: AppContext, _id: string): Promise<PictureBytes | undefined> =>
  getPictureInWidth(context, _id, CONTACT_PHOTO_WIDTH, 'jpeg')

/** The photo of a person in the directory service, or null. */
export const findDirectoryPhoto = (context: AppContext, request: PhotoRequest): Promise<Photo | null> =>
  getDirectoryPhotos(context).get(request)

export const findPicture = (db: Db, _id: string): Promise<Omit<Picture, '_id'> | undefined> =>
  db.selectFrom('picture').select(['type', 'width', 'height', 'bytes']).where('_id', '=', _id).executeTakeFirst()

/** Copies in progress, so that concurrent requests create one copy. */
const pendingCopies = new Map<string, Promise<PictureBytes | undefined>>()

/** A picture in one of the widths: the stored copy, or a new one; the picture itself if it is not wider. */
export const getPictureInWidth = async (
  context: AppContext,
  _id: string,
  width: number,
  format?: 'jpeg',
): Promise<PictureBytes | undefined> => {
  const stored = await context.db
    .selectFrom('picture_size')
    .select(['type', 'bytes'])
    .where('picture', '=', _id)
    .where('width', '=', width)
    .executeTakeFirst()
  if (stored) return stored
  const key = `${_id} ${width}`
  const pending = pendingCopies.get(key)
  if (pending) return pending
  const copy = createCopy(context, _id, width, format).finally(() => pendingCopies.delete(key))
  pendingCopies.set(key, copy)
  return copy
}

const createCopy = async (
  context: AppContext,
  picture: string,
  width: number,
  format: 'jpeg' | undefined,
): Promise<PictureBytes | undefined> => {
  const original = await findPicture(context.db, picture)
  if (!original || !canResize(original, width)) return original
  try {
    const copy = await resizePicture(original.bytes, width, format)
    await insertPictureCopy(context.db, picture, width, copy)
    return copy
  } catch (error) {
    // The original is sent instead.
    context.log.warn({ err: error, picture, width }, 'A smaller copy of a picture could not be made')
    return { ...original, isFullSize: true }
  }
}
