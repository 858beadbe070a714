/** An error that the person who runs the import can fix: one line, without a stack trace. */
export class ImportError extends Error {}
