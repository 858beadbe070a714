/** How a download ended. */
export const OUTCOMES = ['whole', 'broken off', 'failed'] as const
export type DownloadOutcome = (typeof OUTCOMES)[number]
