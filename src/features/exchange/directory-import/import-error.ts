/** Something the person who runs the import can fix: told in one line, without a stack. */
export class ImportError extends Error {}
