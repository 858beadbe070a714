import { z } from 'zod'

import { call } from '../../../contract/call.ts'

/** A section of a guide: what is done, and the pages on which it is done. */
const HelpSection = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The pages of the app, as their routes: `/location/$slug`. */
  pages: z.array(z.string()),
})
const HelpGuide = z.strictObject({ id: z.string(), title: z.string(), sections: z.array(HelpSection) })
export type HelpGuide = z.infer<typeof HelpGuide>

const guideId = z.string().regex(/^[\w-]{1,60}$/, 'Must be the name of a guide')

export const listHelp = call('GET', '/api/help', {
  capability: 'browse the directory',
  summary: 'The guides of the program with their sections, at the level of the caller.',
  response: z.array(HelpGuide),
})

export const readHelp = call('GET', '/api/help/:guide', {
  capability: 'browse the directory',
  summary: 'One guide: its sections as HTML, at the level of the caller.',
  params: z.object({ guide: guideId }),
  response: z.strictObject({ id: z.string(), title: z.string(), sections: z.array(HelpSection.extend({ html: z.string() })) }),
})

export const readHelpPicture = call('GET', '/api/help/pictures/:name', {
  capability: 'browse the directory',
  isSharedResponse: true,
  summary: 'A picture of a guide (WebP).',
  params: z.object({ name: guideId }),
  response: 'picture',
  allowCookieOnly: true,
})
