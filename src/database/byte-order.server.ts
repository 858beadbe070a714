import type { OrderByItemBuilder } from 'kysely'

/**
 * Orders by a text as its bytes do, as the private database does anyway: a list has the same order in every database, whatever rules for texts that
 * one was made with.
 */
export const inByteOrder = (item: OrderByItemBuilder): OrderByItemBuilder => item.collate('C')
