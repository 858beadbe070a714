import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import type { FieldPath, FieldsOf, FormValues } from './body-fields.ts'
import type { FormField } from './fields.ts'

const _save = call('PUT', '/locations-api/nothing/:id', {
  capability: 'edit a site',
  summary: 'A call for its types alone.',
  body: z
    .strictObject({ name: z.string(), count: z.number().nullable(), tags: z.array(z.string()), address: z.object({ city: z.string() }) })
    .partial(),
  response: z.object({}),
})
type Save = typeof _save

test('a form has exactly the fields of its call', () => {
  expectTypeOf<FieldPath<Save>>().toEqualTypeOf<'name' | 'count' | 'tags' | 'address' | 'address.city'>()
  expectTypeOf<{ name: FormField; 'address.city': FormField }>().toExtend<FieldsOf<Save, { name: FormField; 'address.city': FormField }>>()
  expectTypeOf<{ name: FormField; title: FormField }>().not.toExtend<FieldsOf<Save, { name: FormField; title: FormField }>>()
})

test('its values have the types of the body, and text as typed', () => {
  expectTypeOf<{ name: ''; count: '12'; tags: string[]; 'address.city': 'Lodi' }>().toExtend<FormValues<Save>>()
  expectTypeOf<{ tags: string }>().not.toExtend<FormValues<Save>>()
  expectTypeOf<{ name: boolean }>().not.toExtend<FormValues<Save>>()
})
