import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { idOrSlug } from '../../platform/contract/fields.ts'

export const readPicture = call({
  method: 'GET',
  path: '/api/pictures/:id',
  needs: 'browse the directory',
  does: 'A picture’s bytes; its id is the SHA-256 of them, so it never changes.',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  answer: 'picture',
  cookieAlone: true,
})

export const readProfilePhoto = call({
  method: 'GET',
  path: '/api/profile-photo/:person',
  needs: 'browse the directory',
  does: 'The photo of a person, or of `me`, from the directory service; the fallback image where there is none (D23).',
  params: z.object({ person: idOrSlug }),
  answer: 'picture',
  cookieAlone: true,
})
