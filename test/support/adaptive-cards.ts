import { readFileSync } from 'node:fs'

import { Ajv } from 'ajv'

/** The published schema of Adaptive Cards 1.5 (microsoft/AdaptiveCards, MIT). */
const SCHEMA = new URL('adaptive-card-1.5.json', import.meta.url)

/** Returns what the published schema says against a card. */
export const createCardValidator = (): ((card: unknown) => string[]) => {
  // The schema is of an older draft, with formats that are only names.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  return (card) => (validate(card) ? [] : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`))
}
