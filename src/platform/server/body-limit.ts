import { z } from 'zod'

import type { Call } from '../contract/call.ts'
import { AROUND_THE_FILE } from './upload.ts'

/** What every call takes: room for what is wrong to be told field by field, and for JSON that is laid out for people. */
const LEAST = 1024 * 1024
/** A call without a body takes no more than an empty one. */
const NONE = 16 * 1024
/** Blanks and line ends between the fields of a body that is laid out for people. */
const LAYOUT = 1.1

/** A character may be sent as `\u00e9`. */
const ESCAPED = 6
/** Text whose length is not said is of a list or of a form (an id, a day, a time of day). */
const SHORT_TEXT = 300
/** Fields of any form (a report of an error) are cut where they are longer. */
const ANY_VALUE = 20_000 * ESCAPED
const LONGEST_NUMBER = 25
/** Lists whose length is not said. */
const SHORT_LIST = 100

export interface JsonSchema {
  readonly type?: string
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

const textBytes = (length: number): number => 2 + length * ESCAPED
const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0)
const most = (schemas: readonly JsonSchema[]): number => Math.max(0, ...schemas.map(bytesOf))
const namedBytes = (name: string, value: JsonSchema): number => textBytes(name.length) + 2 + bytesOf(value)

/** The bytes of the largest JSON that a schema allows, each character escaped. */
const bytesOf = (schema: JsonSchema): number => {
  if (schema.const !== undefined) return textBytes(JSON.stringify(schema.const).length)
  if (schema.enum) return Math.max(...schema.enum.map((one) => textBytes(JSON.stringify(one).length)))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return most(options)
  if (schema.allOf) return most(schema.allOf)
  switch (schema.type) {
    case 'string':
      return textBytes(schema.maxLength ?? SHORT_TEXT)
    case 'array':
      return 2 + (schema.maxItems ?? SHORT_LIST) * (1 + bytesOf(schema.items ?? {}))
    case 'object': {
      const named = sum(Object.entries(schema.properties ?? {}).map(([name, value]) => namedBytes(name, value)))
      const { additionalProperties: others, propertyNames: names } = schema
      const free = others ? sum((names?.enum ?? []).map((name) => namedBytes(String(name), others))) : 0
      return 2 + named + free
    }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return LONGEST_NUMBER
    case undefined:
    default:
      return ANY_VALUE
  }
}

/** The JSON Schema of a body as it is sent. */
export const sentSchema = (body: z.ZodType): JsonSchema => z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** The most bytes of a call's body: no body whose fields keep to their own limits is larger. */
export const bodyLimitOf = ({ body, upload }: Call): number => {
  if (upload) return upload.maxBytes + AROUND_THE_FILE
  return body ? Math.max(LEAST, Math.ceil(bytesOf(sentSchema(body)) * LAYOUT)) : NONE
}
