import { z } from 'zod'

import { call } from '../../contract/call.ts'
import { editCall } from '../../contract/edit-call.ts'
import { buildInputShape, buildOutputShape } from '../../contract/field-definitions.ts'
import { byIdOrSlug, id, idOrSlug, recordFields } from '../../contract/fields.ts'
import { SIS_FIELDS } from './fields.ts'

/** A site in the student information system. */
export const SisSite = z.strictObject({ _id: id, ...buildOutputShape(SIS_FIELDS), ...recordFields })
export type SisSite = z.infer<typeof SisSite>

export const listSisSites = call('GET', '/locations-api/sis', {
  capability: 'browse the directory',
  summary: 'The SIS sites of one site (`?site=` its slug or _id), or all.',
  query: z.object({ site: idOrSlug.optional() }),
  response: z.array(SisSite),
})

export const readSisSite = call('GET', '/locations-api/sis/:id', {
  capability: 'browse the directory',
  summary: 'One SIS site.',
  params: byIdOrSlug,
  response: SisSite,
})

const SisSiteInput = z.strictObject(buildInputShape(SIS_FIELDS))
export const SisSiteChange = SisSiteInput.partial()
export type SisSiteChange = z.infer<typeof SisSiteChange>
/** A new SIS site needs its location and a name. */
const NewSisSite = SisSiteChange.extend({ name: SisSiteInput.shape.name, site: SisSiteInput.shape.site })

export const createSisSite = call('POST', '/locations-api/sis', {
  capability: 'edit a site',
  summary: 'Adds a SIS site to a site.',
  body: NewSisSite,
  response: SisSite,
})

export const updateSisSite = editCall('PUT', '/locations-api/sis/:id', {
  capability: 'edit a site',
  summary: 'Changes the given fields of a SIS site. A different `site` moves it to that site.',
  body: SisSiteChange,
  response: SisSite,
})

export const updateSisSiteInBody = call('PUT', '/locations-api/sis', {
  capability: 'edit a site',
  summary: 'The same, with the SIS site’s `_id` in the body.',
  body: SisSiteChange.extend({ _id: idOrSlug }),
  allowUnchangedInvalid: true,
  response: SisSite,
})

export const deleteSisSite = call('DELETE', '/locations-api/sis/:id', {
  capability: 'edit a site',
  summary: 'Deletes a SIS site. It can be restored from the history.',
  params: byIdOrSlug,
  response: 'nothing',
})
