/** The part of the library that tests use; it comes without types. */
declare module 'vcf' {
  interface Property {
    valueOf(): string
    readonly type?: string | string[]
  }
  class Vcard {
    static parse(text: string): Vcard[]
    get(name: string): Property | Property[] | undefined
    readonly version: string
  }
  export default Vcard
}
