import type { OrderByItemBuilder } from 'kysely'

/**
 * Orders by the bytes of a text, as the private database does by default, so that lists have the same order in every database.
 */
export const inByteOrder = (item: OrderByItemBuilder): OrderByItemBuilder => item.collate('C')
