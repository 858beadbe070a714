/** The part of the library that tests use; it comes without types. */
declare module 'xlsx-populate' {
  interface Cell {
    value(): unknown
    value(value: string | number | boolean | Date | null): this
    formula(formula: string): this
  }
  interface Sheet {
    cell(row: number, column: number): Cell
    row(row: number): { hidden(isHidden: boolean): unknown }
    range(address: string): { merged(isMerged: boolean): unknown; value(): unknown[][] }
    usedRange(): { value(): unknown[][] }
  }
  interface Workbook {
    sheet(nameOrPlace: string | number): Sheet
    outputAsync(): Promise<Buffer>
  }
  const library: { fromDataAsync(bytes: Uint8Array): Promise<Workbook>; fromBlankAsync(): Promise<Workbook> }
  export default library
}
