/** Something the person who runs the import can mend: told in one line, without a stack. */
export class ImportError extends Error {}
