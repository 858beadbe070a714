import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'

/** The people named in a cell, or its error. */
type ParsedPeople = { readonly value: readonly string[] } | { readonly message: string }

const SEPARATOR = '; '
/** The number of initial letters that similar last names share. */
const CLOSE_LETTERS = 4

const fold = (name: string): string => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
const getLastName = (name: string): string => fold(name).split(' ').at(-1) ?? ''

/** Formats and parses cells that name people: by name, or by email address if several people have the name. */
export class PeopleNames {
  readonly #model: ReadModel
  #known: ReadonlyMap<string, string | undefined> | undefined

  constructor(model: ReadModel) {
    this.#model = model
  }

  /** The people of a cell, in alphabetical order. */
  format(value: unknown): string {
    return (Array.isArray(value) ? value : [])
      .map((_id) => this.#toName(String(_id)))
      .toSorted((a, b) => a.localeCompare(b))
      .join(SEPARATOR)
  }

  parse(text: string): ParsedPeople {
    const people: string[] = []
    for (const part of text.split(/[;\n]/)) {
      const name = part.trim()
      if (name === '') continue
      const found = this.#find(name)
      if ('message' in found) return found
      people.push(found._id)
    }
    return { value: [...new Set(people)].toSorted() }
  }

  #toName(_id: string): string {
    const person = this.#model.table('person').get(_id)
    if (!person) return _id
    const isPlain = this.#names.get(fold(person.name)) === _id && !/[;<>\n]/.test(person.name)
    return isPlain ? person.name : (person.email ?? person.slug)
  }

  #find(name: string): { readonly _id: string } | { readonly message: string } {
    const key = fold(name)
    const _id = this.#names.get(key)
    if (_id !== undefined) return { _id }
    if (this.#names.has(key)) return { message: `More than one person is named “${name}”. Write the email address.` }
    const close = this.#findClose(key)
    return { message: `No one is named “${name}”.${close === undefined ? '' : ` Did you mean ${close}?`}` }
  }

  get #people(): ModelRow<'person'>[] {
    return [...this.#model.table('person').all()]
  }

  get #names(): ReadonlyMap<string, string | undefined> {
    this.#known ??= this.#listNames()
    return this.#known
  }

  #listNames(): ReadonlyMap<string, string | undefined> {
    const names = new Map<string, string | undefined>()
    for (const [name, people] of Map.groupBy(this.#people, (person) => fold(person.name))) {
      const employed = people.filter(({ leftAt }) => leftAt === null)
      const candidates = employed.length > 0 ? employed : people
      names.set(name, candidates.length === 1 ? candidates[0]?._id : undefined)
    }
    for (const { _id, email, slug } of this.#people)
      for (const other of [email, slug, _id]) if (other !== null && !names.has(fold(other))) names.set(fold(other), _id)
    return names
  }

  /** The only person with the same initial and a last name that begins like the given one. */
  #findClose(name: string): string | undefined {
    const last = getLastName(name).slice(0, CLOSE_LETTERS)
    const close = this.#people.filter(
      (person) => person.leftAt === null && fold(person.name)[0] === name[0] && getLastName(person.name).startsWith(last),
    )
    return close.length === 1 ? close[0]?.name : undefined
  }
}
