import type { Db } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { canResize, type Picture, toStoredPicture, toPicture, resizePicture } from './encoding.server.ts'
import { insertPictureCopy } from './mutations.server.ts'

/** The bytes of a picture; `isFullSize` if the original is sent because no smaller copy could be made. */
export type PictureBytes = Pick<Picture, 'type' | 'bytes'> & { readonly isFullSize?: true }

/**
 * The picture in a file; undefined if there is none. A file that was stored before, by its id, stays unchanged; any other is re-encoded like an
 * upload.
 */
export const readPictureFile = async (bytes: Buffer, id?: string): Promise<Picture | undefined> => {
  try {
    return (id === undefined ? undefined : await toStoredPicture(bytes, id)) ?? (await toPicture(bytes))
  } catch {
    return undefined
  }
}

export const findPicture = (db: Db, _id: string): Promise<Omit<Picture, '_id'> | undefined> =>
  db.selectFrom('picture').select(['type', 'width', 'height', 'bytes']).where('_id', '=', _id).executeTakeFirst()

/** Copies in progress, so that concurrent requests create one copy. */
const pendingCopies = new Map<string, Promise<PictureBytes | undefined>>()

/** A picture in one of the widths: the stored copy, or a new one; the picture itself if it is not wider. */
export const getPictureInWidth = async (context: AppContext, _id: string, width: number): Promise<PictureBytes | undefined> => {
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
  const copy = createCopy(context, _id, width).finally(() => pendingCopies.delete(key))
  pendingCopies.set(key, copy)
  return copy
}

const createCopy = async (context: AppContext, picture: string, width: number): Promise<PictureBytes | undefined> => {
  const original = await findPicture(context.db, picture)
  if (!original || !canResize(original, width)) return original
  try {
    const copy = await resizePicture(original.bytes, width)
    await insertPictureCopy(context.db, picture, width, copy)
    return copy
  } catch (error) {
    // The original is sent instead.
    context.log.warn({ err: error, picture, width }, 'A smaller copy of a picture could not be made')
    return { ...original, isFullSize: true }
  }
}
