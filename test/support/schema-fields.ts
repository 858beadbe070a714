import { z } from 'zod'

import { calls } from '../../src/app/routes.server.ts'
import { type Call, callName } from '../../src/contract/call.ts'
import { fieldKinds } from '../../src/contract/text-schemas.ts'

/** The call with a name. */
export const findCall = (name: string): Call => {
  const found = calls.find((call) => callName(call) === name)
  if (!found) throw new Error(`There is no call ${name}`)
  return found
}

/** Object fields by name; `*` is an entry of a list. */
export type SchemaPath = readonly string[]

/** A field in the input of a call. */
export interface SchemaField {
  readonly call: string
  readonly path: SchemaPath
  readonly schema: z.ZodType
}

/** The schema inside an optional, nullable, default or pipe wrapper. */
const unwrapLayer = (schema: z.ZodType): z.ZodType | undefined => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return schema.unwrap() as z.ZodType
  return schema instanceof z.ZodPipe ? ((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType) : undefined
}
export const unwrapSchema = (schema: z.ZodType): z.ZodType => {
  const inner = unwrapLayer(schema)
  return inner ? unwrapSchema(inner) : schema
}

/** Every field of a schema, outermost first. */
const listSchemaFields = function* (call: string, schema: z.ZodType, path: SchemaPath): Generator<SchemaField> {
  yield { call, path, schema }
  if (fieldKinds.get(schema) !== undefined) return
  const inner = unwrapLayer(schema)
  if (inner) yield* listSchemaFields(call, inner, path)
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* listSchemaFields(call, option as z.ZodType, path)
  else if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) yield* listSchemaFields(call, field as z.ZodType, [...path, name])
  else if (schema instanceof z.ZodArray) yield* listSchemaFields(call, schema.element as z.ZodType, [...path, '*'])
  else if (schema instanceof z.ZodRecord) yield* listSchemaFields(call, schema.valueType as z.ZodType, [...path, 'Monday'])
}

/** Every field that accepts free text: not a choice, whatever its format and length. */
export const listTextFields = (given: z.ZodType, path: SchemaPath = []): SchemaPath[] => {
  const schema = unwrapSchema(given)
  const isText = (type: z.ZodType): boolean => type.def.type === 'string'
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => listTextFields(field as z.ZodType, [...path, name]))
  if (schema instanceof z.ZodArray) return listTextFields(schema.element as z.ZodType, [...path, '*'])
  // If any key is allowed, the keys are field paths, which the calls of their records define.
  if (schema instanceof z.ZodRecord) {
    const keys = schema.keyType instanceof z.ZodEnum ? schema.keyType.options : []
    return keys.flatMap((key) => listTextFields(schema.valueType as z.ZodType, [...path, String(key)]))
  }
  if (schema instanceof z.ZodUnion) {
    const options = (schema.options as z.ZodType[]).map(unwrapSchema)
    const list = options.find((option) => option instanceof z.ZodArray)
    if (list) return listTextFields(list, path)
    return options.some(isText) ? [path] : options.flatMap((option) => listTextFields(option, path)).slice(0, 1)
  }
  return isText(schema) || schema instanceof z.ZodUnknown ? [path] : []
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value with the value at a path replaced; everything else stays. */
export const setAtPath = ([key, ...rest]: SchemaPath, value: unknown, base?: unknown): unknown => {
  if (key === undefined) return value
  if (key === '*') {
    const [first, ...others] = Array.isArray(base) ? (base as unknown[]) : []
    return [setAtPath(rest, value, first), ...others]
  }
  const object = isObject(base) ? base : {}
  return { ...object, [key]: setAtPath(rest, value, object[key]) }
}

/** Every input of every call with all its fields. */
export const callInputs = calls.flatMap((call) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    return schema ? [{ name: `${callName(call)} ${part}`, part, schema, fields: [...listSchemaFields(callName(call), schema, [])] }] : []
  }),
)

/** Every field of a kind in the body of a call. */
export const listFieldsOfKind = (kind: NonNullable<ReturnType<typeof fieldKinds.get>>['kind']): SchemaField[] =>
  callInputs
    .filter(({ part }) => part === 'body')
    .flatMap(({ fields }) => fields)
    .filter(({ schema }) => fieldKinds.get(schema)?.kind === kind)
