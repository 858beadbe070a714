// With several servers, a request just after a write may reach one that has not read the write yet. Responses to writes name their server, and the
// client sends the names for a moment: a server that is not the only one named catches up with the database before it responds.

/** The header of a response to a write: the server that made it. */
export const WRITTEN_BY_HEADER = 'x-written-by'
/** The header of a request: the servers of the sender's recent writes, separated by commas. */
export const READ_AFTER_HEADER = 'x-read-after'
/** How far a server may be behind the others, at most. The only place that says so, with docs/developers/api.md. */
export const MAX_BEHIND_MS = 1000
/** How long a client sends it. */
export const READ_AFTER_MS = 2 * MAX_BEHIND_MS
