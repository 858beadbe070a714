/** A person in a stored text: `@{_id}`. */
const MENTION = /@\{([^{}\s]{1,100})\}/g

/** Someone who is mentioned, while a comment is written. */
export interface Mentioned {
  readonly _id: string
  readonly name: string
}

/** The `_id`s of the people in a stored text, each once. */
export const listMentions = (text: string): string[] => [...new Set([...text.matchAll(MENTION)].map(([, _id = '']) => _id))]

/** A stored text with the names of the people in it. */
export const nameMentions = (text: string, getName: (_id: string) => string | undefined): string =>
  text.replaceAll(MENTION, (_, _id: string) => `@${getName(_id) ?? 'someone who was removed'}`)

const byLongestName = (people: readonly Mentioned[]): Mentioned[] => people.toSorted((a, b) => b.name.length - a.name.length)

/** A text as it was typed, with `@{_id}` where it names one of these people. */
export const toStoredText = (typed: string, people: readonly Mentioned[]): string =>
  byLongestName(people).reduce((text, { _id, name }) => text.replaceAll(`@${name}`, () => `@{${_id}}`), typed)

/** A part of a text: one of the people in it, or what is between them. */
export type TextPart<Person> = string | Person

/** The parts of a text in which people are named. */
export const splitMentions = <Person extends Mentioned>(text: string, people: readonly Person[]): TextPart<Person>[] =>
  (byLongestName(people) as Person[]).reduce<TextPart<Person>[]>(
    (parts, person) =>
      parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(`@${person.name}`).flatMap((between, at) => (at === 0 ? [between] : [person, between]))
          : [part],
      ),
    [text],
  )
