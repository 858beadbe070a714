/** The page that brings in files of a kind. */
export const getImportPath = (kind: string): string => `/import?kind=${kind}`
