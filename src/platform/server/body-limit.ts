import { z } from 'zod'

import type { Call } from '../../contract/call.ts'
import { memoize } from '../../contract/memoize.ts'
import { MULTIPART_OVERHEAD_BYTES } from './upload.ts'

/** The minimum for every call: room for error reports with many fields, and for indented JSON. */
const MIN_LIMIT_BYTES = 1024 * 1024
/** For a call without a body. */
const EMPTY_BODY_BYTES = 16 * 1024
/** Whitespace and line breaks between the fields of an indented body. */
const WHITESPACE_FACTOR = 1.1

/** A character may be sent as `\u00e9`. */
const MAX_CHARACTER_BYTES = 6
/** For text without a declared length, which comes from a list or fixed format (an id, a day, a time of day). */
const DEFAULT_TEXT_LENGTH = 300
/** Fields of arbitrary shape (in error reports) are truncated to this length. */
const MAX_UNTYPED_BYTES = 20_000 * MAX_CHARACTER_BYTES
const MAX_NUMBER_BYTES = 25
/** For lists without a declared length. */
const DEFAULT_LIST_LENGTH = 100

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema | false
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

const countTextBytes = (length: number): number => 2 + length * MAX_CHARACTER_BYTES
const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0)
const countLargestBytes = (schemas: readonly JsonSchema[]): number => Math.max(0, ...schemas.map(countBytes))
const countPropertyBytes = (name: string, value: JsonSchema): number => countTextBytes(name.length) + 2 + countBytes(value)

/** The size of the largest JSON that a schema allows, with every character escaped. */
const countBytes = (schema: JsonSchema): number => {
  if (schema.const !== undefined) return countTextBytes(JSON.stringify(schema.const).length)
  if (schema.enum) return Math.max(...schema.enum.map((one) => countTextBytes(JSON.stringify(one).length)))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return countLargestBytes(options)
  if (schema.allOf) return countLargestBytes(schema.allOf)
  if (Array.isArray(schema.type)) return countLargestBytes(schema.type.map((type: string) => ({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return countTextBytes(schema.maxLength ?? DEFAULT_TEXT_LENGTH)
    case 'array':
      return 2 + (schema.maxItems ?? DEFAULT_LIST_LENGTH) * (1 + countBytes(schema.items ?? {}))
    case 'object': {
      const named = sum(Object.entries(schema.properties ?? {}).map(([name, value]) => countPropertyBytes(name, value)))
      const { additionalProperties: others, propertyNames: names } = schema
      const free = others ? sum((names?.enum ?? []).map((name) => countPropertyBytes(String(name), others))) : 0
      return 2 + named + free
    }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return MAX_NUMBER_BYTES
    case undefined:
    default:
      return MAX_UNTYPED_BYTES
  }
}

/** The JSON Schema of a request body. */
export const toInputJsonSchema = (body: z.ZodType): JsonSchema =>
  z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/**
 * The maximum size of a call's body: no body whose fields stay within their own limits is larger. Measured once, because converting all schemas takes
 * most of the time in which a server is built, and tests build hundreds.
 */
export const getBodyLimit = memoize(({ body, upload }: Call): number => {
  if (upload) return upload.maxBytes + MULTIPART_OVERHEAD_BYTES
  return body ? Math.max(MIN_LIMIT_BYTES, Math.ceil(countBytes(toInputJsonSchema(body)) * WHITESPACE_FACTOR)) : EMPTY_BODY_BYTES
})
