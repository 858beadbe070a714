import { call, type Call } from './call.ts'
import { byIdOrSlug } from './fields.ts'

/** Declares the edit of a stored record, by its `_id` or slug. An invalid field of its body is accepted if it equals the stored value. */
export const editCall = <const D extends Omit<Call, 'method' | 'path' | 'params' | 'allowUnchangedInvalid'>>(
  method: 'PUT' | 'PATCH',
  path: Call['path'],
  definition: D,
) => call(method, path, { ...definition, params: byIdOrSlug, allowUnchangedInvalid: true })
