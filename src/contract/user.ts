import { z } from 'zod'

import { id } from './fields.ts'

/** The signed-in user. `azureID` is the work email address. */
export const User = z.strictObject({
  _id: id,
  name: z.string(),
  azureID: z.string(),
  accessLevel: z.int(),
})
export type User = z.infer<typeof User>

/** 'Dana' for both 'Dana Whitlock' and 'Whitlock, Dana'. */
export const getFirstName = (name: string): string => {
  const [beforeComma = '', afterComma] = name.split(',')
  const words = (afterComma?.trim() || beforeComma).trim().split(/\s+/)
  return words[0] ?? ''
}

/** Whether an address is the user's own work address. */
export const isOwnAddress = ({ azureID }: { readonly azureID: string }, address: string | null): boolean =>
  address?.toLowerCase() === azureID.toLowerCase()
