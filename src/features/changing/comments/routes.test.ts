import { describe, expect, test } from 'vitest'

import { network, type SignedInCaller, type TestApp } from '../../../../test/support/app.ts'
import { suggest } from '../../../../test/support/suggestions.ts'
import { readHome } from '../../../app/home/contract.ts'
import { listAuditEvents } from '../../operations/audit/contract.ts'
import { readHistory } from '../history/contract.ts'
import {
  createComment,
  deleteComment,
  deleteCommentsOfAccount,
  listComments,
  listCommentsOfAccount,
  listOwnComments,
  markCommentsSeen,
  MAX_COMMENT_LENGTH,
} from './contract.ts'

const listMails = async ({ context }: TestApp, comment: string) =>
  context.db.selectFrom('mail').select(['recipients', 'subject', 'body']).where('comment', '=', comment).execute()

/** Someone in the directory who signs in at a level. */
const createColleague = async (app: TestApp, level: number) => {
  const caller = app.as(level)
  const { azureID: email } = await caller.who()
  const person = await app.make.person({ email })
  await app.catchUp()
  return { caller, person, email }
}

const listUnseen = async (caller: SignedInCaller) => (await caller.send(readHome)).comments.first.map(({ _id }) => _id)

describe('a comment', () => {
  test('is for records of every kind with a page, and for those who may read the record', async () => {
    const app = await network()
    const { make, site, charter, brand, region } = app
    await make.affair({ charter: charter._id })
    const ids = { site, charter, brand, region, person: await make.person(), charter_affair: charter } as const
    await app.catchUp()
    const writer = app.as(6)
    for (const [kind, { _id }] of Object.entries(ids) as [keyof typeof ids, { _id: string }][]) {
      const params = { kind, id: _id }
      const written = await writer.send(createComment, { params, body: { text: `About the ${kind} <b>here</b>\n\nToday` } })
      expect(written).toMatchObject({ text: `About the ${kind} <b>here</b>\n\nToday`, isMine: true, isNew: false, mentions: [] })
      expect((await writer.send(listComments, { params })).at(-1)).toEqual(written)
      const status = kind === 'charter_affair' ? 403 : 200
      expect((await app.as(10).trySend(listComments, { params })).statusCode).toBe(status)
      expect((await app.as(10).trySend(createComment, { params, body: { text: 'Seen' } })).statusCode).toBe(status)
      expect((await writer.trySend(listComments, { params: { kind, id: 'nowhere' } })).statusCode).toBe(404)
    }
  })

  test('is in the history of its record, between the changes of its time, until it is deleted', async () => {
    const app = await network()
    const { site } = app
    const caller = app.as(6)
    const { name } = await caller.who()
    const person = await app.make.person()
    await app.catchUp()
    const params = { kind: 'site' as const, id: site._id }
    const comment = (text: string) => caller.send(createComment, { params, body: { text } })
    const saveOften = async (count: number) => {
      for (let turn = 0; turn < count; turn++)
        await app.context.db
          .updateTable('site')
          .set({ description: `${count} ${turn}` })
          .where('_id', '=', site._id)
          .execute()
    }
    const first = await comment(`@{${person._id}} first`)
    await saveOften(3)
    const second = await comment('Second')
    await saveOften(50)
    const page = await caller.send(readHistory, { params })
    expect(page).toMatchObject({ more: true, comments: [] })
    const before = page.changes.at(-1)?._id ?? ''
    const earlier = await caller.send(readHistory, { params, query: { before } })
    expect(earlier.comments).toEqual([
      { _id: second._id, at: second.createdAt, by: name, text: 'Second' },
      { _id: first._id, at: first.createdAt, by: name, text: `@${person.name} first` },
    ])
    expect((await caller.send(readHistory, { params, query: { before, field: 'description' } })).comments).toEqual([])
    expect((await caller.send(readHistory, { params, query: { before, by: 'Someone else' } })).comments).toEqual([])
    await caller.send(deleteComment, { params: { id: first._id } })
    expect((await caller.send(readHistory, { params, query: { before } })).comments).toHaveLength(1)
  })

  test('has a text of limited length', async () => {
    const app = await network()
    const params = { kind: 'site' as const, id: app.site._id }
    const refuse = async (text: string) => (await app.as(10).trySend(createComment, { params, body: { text } })).json().errors[0].message
    expect(await refuse('  \n ')).toBe('Write a comment first')
    expect(await refuse('a'.repeat(MAX_COMMENT_LENGTH + 1))).toMatch(/2,?000/)
    expect(await refuse(Array.from({ length: 21 }, (_, at) => `@{${at}}`).join(' '))).toBe('Mention at most 20 people')
  })

  test('that mentions someone is mailed to them, and on their home page until they have seen it', async () => {
    const app = await network()
    const { caller, person, email } = await createColleague(app, 10)
    const author = app.as(10)
    const { name, azureID } = await author.who()
    const params = { kind: 'site' as const, id: app.site.slug }
    const { _id, ...written } = await author.send(createComment, { params, body: { text: `@{${person._id}} is this right?` } })
    expect(written).toMatchObject({
      text: `@${person.name} is this right?`,
      mentions: [{ _id: person._id, name: person.name, slug: person.slug }],
    })
    const [mail, ...others] = await listMails(app, _id)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ recipients: [email], subject: `${name} mentioned you: ${app.site.displayName}` })
    expect(mail?.body).toContain(`@${person.name} is this right?`)
    expect(mail?.body).toContain(`/location/${app.site.slug}#comments`)
    expect(mail?.body).not.toContain(azureID)

    expect(await listUnseen(caller)).toEqual([_id])
    expect((await caller.send(listComments, { params })).at(-1)?.isNew).toBe(true)
    expect(await listUnseen(author)).toEqual([])
    await author.send(markCommentsSeen, { params })
    expect(await listUnseen(caller)).toEqual([_id])
    await caller.send(markCommentsSeen, { params })
    expect(await listUnseen(caller)).toEqual([])
    expect((await caller.send(listComments, { params })).at(-1)?.isNew).toBe(false)
  })

  test('that mentions its author is mailed to no one', async () => {
    const app = await network()
    const { caller, person } = await createColleague(app, 10)
    const params = { kind: 'site' as const, id: app.site._id }
    const { _id } = await caller.send(createComment, { params, body: { text: `Note to @{${person._id}}` } })
    expect(await listMails(app, _id)).toEqual([])
    expect(await listUnseen(caller)).toEqual([])
  })

  test('cannot mention someone who is not there, who left, who has no email address, or who may not read the page', async () => {
    const app = await network()
    const reader = await createColleague(app, 6)
    const other = await createColleague(app, 10)
    const without = await app.make.person({ email: null })
    const left = await app.make.person({ leftAt: new Date() })
    await app.catchUp()
    const writer = app.as(6)
    const params = { kind: 'charter_affair' as const, id: app.charter._id }
    const mention = async (_id: string) => {
      const response = await writer.trySend(createComment, { params, body: { text: `Ask @{${_id}}` } })
      return response.statusCode === 200 ? 'saved' : String(response.json().errors[0].message)
    }
    expect(await mention('nowhere')).toBe('Someone who is mentioned here is not in the directory')
    expect(await mention(left._id)).toBe(`${left.name} is no longer employed`)
    expect(await mention(without._id)).toBe(`${without.name} has no email address and cannot be mentioned`)
    expect(await mention(other.person._id)).toBe(`${other.person.name} cannot open this page, so they cannot be mentioned here`)
    expect(await mention(reader.person._id)).toBe('saved')
  })

  test('on a charter affair is not quoted in a mail, and reading it is recorded', async () => {
    const app = await network()
    const { caller, person } = await createColleague(app, 5)
    const params = { kind: 'charter_affair' as const, id: app.charter._id }
    const { _id } = await app.as(6).send(createComment, { params, body: { text: `Secret terms, @{${person._id}}` } })
    const [mail] = await listMails(app, _id)
    expect(mail?.body).not.toContain('Secret terms')
    await caller.send(listComments, { params })
    const events = await app.as(1).send(listAuditEvents, { query: { kind: 'charter_affair.read' } })
    const { account } = await caller.who()
    expect(events).toContainEqual(
      expect.objectContaining({ account, record: app.charter._id, after: expect.objectContaining({ what: 'comments' }) }),
    )
  })

  test('is no longer on the home page of someone who may no longer read the page', async () => {
    const app = await network()
    const { caller, person } = await createColleague(app, 6)
    const params = { kind: 'charter_affair' as const, id: app.charter._id }
    const { _id } = await app.as(6).send(createComment, { params, body: { text: `@{${person._id}}` } })
    expect(await listUnseen(caller)).toEqual([_id])
    await app.context.db
      .deleteFrom('permission')
      .where('account', '=', (await caller.who()).account)
      .execute()
    await app.context.lists.invalidate(['permission'])
    expect(await listUnseen(caller)).toEqual([])
  })
})

describe('a comment on a suggestion', () => {
  test('is for its sender and those who decide, and goes to all who took part', async () => {
    const app = await network()
    const { sender, _id: suggestion } = await suggest(app)
    const params = { kind: 'proposal' as const, id: suggestion }
    const decider = app.as(6)
    const question = await decider.send(createComment, { params, body: { text: 'Since when?' } })
    expect((await listMails(app, question._id)).map(({ recipients }) => recipients)).toEqual([[(await sender.who()).azureID]])
    expect(await listUnseen(sender)).toEqual([question._id])
    const answer = await sender.send(createComment, { params, body: { text: 'Since Monday' } })
    expect((await listMails(app, answer._id)).map(({ recipients }) => recipients)).toEqual([[(await decider.who()).azureID]])
    expect((await decider.send(listComments, { params })).map(({ text }) => text)).toEqual(['Since when?', 'Since Monday'])
    const other = app.as(10)
    expect((await other.trySend(listComments, { params })).statusCode).toBe(404)
    expect((await other.trySend(createComment, { params, body: { text: 'Me too' } })).statusCode).toBe(404)
    expect((await other.trySend(deleteComment, { params: { id: answer._id } })).statusCode).toBe(404)
  })
})

describe('deleting', () => {
  test('is for the author and level 1, and deletes the mails that quote the comment', async () => {
    const app = await network()
    const { caller, person } = await createColleague(app, 10)
    const params = { kind: 'site' as const, id: app.site._id }
    const author = app.as(6)
    const write = async () => (await author.send(createComment, { params, body: { text: `@{${person._id}}` } }))._id
    const [own, removed] = [await write(), await write()]
    expect((await caller.trySend(deleteComment, { params: { id: own } })).statusCode).toBe(403)
    expect((await app.as(5).trySend(deleteComment, { params: { id: own } })).statusCode).toBe(403)
    await author.send(deleteComment, { params: { id: own } })
    await app.as(1).send(deleteComment, { params: { id: removed } })
    for (const _id of [own, removed]) {
      expect(await listMails(app, _id)).toEqual([])
      expect((await author.trySend(deleteComment, { params: { id: _id } })).statusCode).toBe(404)
    }
    expect(await listUnseen(caller)).toEqual([])
    const events = await app.as(1).send(listAuditEvents, { query: { kind: 'comment.deleted' } })
    const { account } = await author.who()
    expect(events.filter(({ record }) => record === account)).toHaveLength(1)
  })

  test('everything that someone wrote is for level 1; before that, both can read it', async () => {
    const app = await network()
    const author = app.as(6)
    const { account } = await author.who()
    await author.send(createComment, { params: { kind: 'site', id: app.site._id }, body: { text: 'One' } })
    await author.send(createComment, { params: { kind: 'charter_affair', id: app.charter._id }, body: { text: 'Two' } })
    const own = await author.send(listOwnComments)
    expect(own.map(({ text, about }) => [text, about.name, about.path])).toEqual([
      ['Two', `${app.charter.name}, charter affair`, `/charter_affair/${app.charter.slug}`],
      ['One', app.site.displayName, `/location/${app.site.slug}`],
    ])
    const first = app.as(1)
    expect((await first.send(listCommentsOfAccount, { params: { id: account } })).map(({ text }) => text)).toEqual(['Two', 'One'])
    expect((await author.trySend(deleteCommentsOfAccount, { params: { id: account } })).statusCode).toBe(403)
    expect(await first.send(deleteCommentsOfAccount, { params: { id: account } })).toEqual({ deleted: 2 })
    expect(await author.send(listOwnComments)).toEqual([])
  })

  test('an account deletes its comments with their mails; deleting a person leaves the text without the name', async () => {
    const app = await network()
    const { person } = await createColleague(app, 10)
    const author = app.as(10)
    const params = { kind: 'site' as const, id: (await app.make.site())._id }
    await app.catchUp()
    const { _id } = await author.send(createComment, { params, body: { text: `Thanks @{${person._id}}` } })
    await app.make.write((tx) => tx.deleteFrom('person').where('_id', '=', person._id).execute())
    await app.catchUp()
    const [left] = await author.send(listComments, { params })
    expect(left).toMatchObject({ text: 'Thanks @someone who was removed', mentions: [] })
    const { account } = await author.who()
    const { db } = app.context
    for (const table of ['session', 'permission'] as const) await db.deleteFrom(table).where('account', '=', account).execute()
    await db.deleteFrom('account').where('_id', '=', account).execute()
    expect(await listMails(app, _id)).toEqual([])
    expect(await app.as(10).send(listComments, { params })).toEqual([])
  })
})
