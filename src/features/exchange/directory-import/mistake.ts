/** Something the person who runs the import can mend: told in one line, without a stack. */
export class ImportMistake extends Error {}
