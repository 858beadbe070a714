import { z } from 'zod'

import { callName } from '../../src/contract/call.ts'
import { fieldKinds } from '../../src/contract/text-schemas.ts'
import { calls } from '../../src/routes.server.ts'

/** A place in the body of a call, and the schema that stands there. */
export interface SchemaField {
  readonly call: string
  /** Object fields by name; `*` is an entry of a list. */
  readonly path: readonly string[]
  readonly schema: z.ZodType
}

/** What a schema wraps: its own options, what it takes before it changes it, what may be left out. */
const getInnerSchemas = (schema: z.ZodType): z.ZodType[] => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return [schema.unwrap() as z.ZodType]
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[]
  if (schema instanceof z.ZodPipe) return [schema.in as z.ZodType]
  return []
}

/** Every place in a schema, from the outside in. */
const listSchemaFields = function* (call: string, schema: z.ZodType, path: readonly string[]): Generator<SchemaField> {
  yield { call, path, schema }
  if (fieldKinds.get(schema) !== undefined) return
  for (const inner of getInnerSchemas(schema)) yield* listSchemaFields(call, inner, path)
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) yield* listSchemaFields(call, field as z.ZodType, [...path, name])
  if (schema instanceof z.ZodArray) yield* listSchemaFields(call, schema.element as z.ZodType, [...path, '*'])
  if (schema instanceof z.ZodRecord) yield* listSchemaFields(call, schema.valueType as z.ZodType, [...path, 'Monday'])
}

/** A value that holds another at a place, and nothing beside it. */
export const setAtPath = ([key, ...rest]: readonly string[], value: unknown): unknown =>
  key === undefined ? value : key === '*' ? [setAtPath(rest, value)] : { [key]: setAtPath(rest, value) }

/** Every input of every call with all its places. */
export const callInputs = calls.flatMap((call) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    return schema ? [{ name: `${callName(call)} ${part}`, part, schema, places: [...listSchemaFields(callName(call), schema, [])] }] : []
  }),
)

/** Every field of a kind in the body of a call. */
export const listFieldsOfKind = (kind: NonNullable<ReturnType<typeof fieldKinds.get>>['kind']): SchemaField[] =>
  callInputs
    .filter(({ part }) => part === 'body')
    .flatMap(({ places }) => places)
    .filter(({ schema }) => fieldKinds.get(schema)?.kind === kind)
