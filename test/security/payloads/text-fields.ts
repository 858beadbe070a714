import { z } from 'zod'

/** The way to a value in a body: names of fields, and 0 for the one entry of a list. */
export type Path = readonly string[]

export type Body = Record<string, unknown>

/** Schemas a value goes through before or after its own. */
const unwrapped = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return unwrapped((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType)
  return schema
}

/** A text, whatever form it must have. */
const isText = (schema: z.ZodType): boolean => schema.def.type === 'string'

/** Every place of a body that takes a text: whatever the schema says of its form, its length, and what it may be. Choices are none. */
export const textFieldsOf = (schema: z.ZodType, at: Path = []): Path[] => {
  const own = unwrapped(schema)
  if (own instanceof z.ZodObject)
    return Object.entries(own.shape).flatMap(([name, field]) => textFieldsOf(field as z.ZodType, [...at, name]))
  if (own instanceof z.ZodArray) return textFieldsOf(own.element as z.ZodType, [...at, '0'])
  if (own instanceof z.ZodRecord) return [...(own.keyType as z.ZodEnum).options].flatMap((key) => textFieldsOf(own.valueType as z.ZodType, [...at, String(key)])) // prettier-ignore
  if (own instanceof z.ZodUnion) {
    const options = (own.options as z.ZodType[]).map(unwrapped)
    const list = options.find((option) => option instanceof z.ZodArray)
    if (list) return textFieldsOf(list, at)
    return options.some(isText) ? [at] : options.flatMap((option) => textFieldsOf(option, at)).slice(0, 1)
  }
  return isText(own) || own instanceof z.ZodUnknown ? [at] : []
}

const isRecord = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body with one more value in it; what stands there already is kept. */
export const withValue = (body: unknown, [name, ...rest]: Path, value: unknown): unknown => {
  if (name === undefined) return value
  if (name === '0') {
    const list = Array.isArray(body) ? (body as unknown[]) : []
    return [withValue(list[0], rest, value), ...list.slice(1)]
  }
  const record = isRecord(body) ? body : {}
  return { ...record, [name]: withValue(record[name], rest, value) }
}
