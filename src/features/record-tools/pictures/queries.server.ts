import type { Db, Tx } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { canResize, type Picture, toStoredPicture, toPicture, resizePicture } from './encoding.server.ts'

/** The bytes of a picture; `isFullSize` where the original is sent because no smaller copy could be made. */
export type PictureBytes = Pick<Picture, 'type' | 'bytes'> & { readonly isFullSize?: true }

/** Inserting the same picture twice keeps one row, because its id is the hash of its bytes. */
export const insertPicture = async (tx: Tx, picture: Picture): Promise<void> => {
  await tx
    .insertInto('picture')
    .values(picture)
    .onConflict((already) => already.doNothing())
    .execute()
}

/**
 * The picture that is in a file; undefined where none is. One that was kept here once, as its id says, stays as it is, byte for byte;
 * any other becomes what an upload would become (D26).
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

/** A picture in one of the widths: the stored copy, or a new one; the picture itself where it is not wider. */
export const getPictureInWidth = async (context: AppContext, _id: string, width: number): Promise<PictureBytes | undefined> => {
  const kept = await context.db
    .selectFrom('picture_size')
    .select(['type', 'bytes'])
    .where('picture', '=', _id)
    .where('width', '=', width)
    .executeTakeFirst()
  if (kept) return kept
  const key = `${_id} ${width}`
  const already = pendingCopies.get(key)
  if (already) return already
  const made = createCopy(context, _id, width).finally(() => pendingCopies.delete(key))
  pendingCopies.set(key, made)
  return made
}

const createCopy = async (context: AppContext, picture: string, width: number): Promise<PictureBytes | undefined> => {
  const whole = await findPicture(context.db, picture)
  if (!whole || !canResize(whole, width)) return whole
  try {
    const copy = await resizePicture(whole.bytes, width)
    await context.db
      .insertInto('picture_size')
      .values({ picture, width, ...copy })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return copy
  } catch (error) {
    // The whole picture serves as well, only slower.
    context.log.warn({ err: error, picture, width }, 'A smaller copy of a picture could not be made')
    return { ...whole, isFullSize: true }
  }
}
