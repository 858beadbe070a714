import { on, type Route } from '../../platform/server/handler.ts'
import { sendSupportRequest } from './contract.ts'

export const requestRoutes: Route[] = [
  on(sendSupportRequest, async ({ body, user, house }) =>
    house.db
      .insertInto('request')
      .values({
        kind: 'support',
        text: body.request,
        account: user?.account ?? null,
        // Who it is from is what the session says, where there is one; what the body says is kept as text only (D41).
        name: user?.name ?? body.name ?? null,
        email: user?.azureID ?? body.email ?? null,
        claimedName: body.name ?? null,
        claimedEmail: body.email ?? null,
      })
      .returning('_id')
      .executeTakeFirstOrThrow(),
  ),
]
