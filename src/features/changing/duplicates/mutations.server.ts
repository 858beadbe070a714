import { invalidFields } from '../../../contract/problem.ts'
import type { DuplicateKind } from '../../../contract/records.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'

interface Dismissed {
  readonly kind: DuplicateKind
  readonly a: string
  readonly b: string
}

export const insertDismissed = async (context: AppContext, user: SignedIn, { kind, a, b }: Dismissed): Promise<void> => {
  const { findKey } = context.kinds[kind]
  await context.readModel.ready()
  const [one, other] = [findKey(context.readModel, a), findKey(context.readModel, b)]
  if (one === other) throw invalidFields([{ path: 'b', message: 'Name two records' }])
  await context.db
    .insertInto('not_duplicate')
    .values({ kind, a: one, b: other, name: user.name, at: context.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
