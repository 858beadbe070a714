/** The code of an error of Node, PostgreSQL or a library; empty if it has none. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
